import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * The cookie of a browser that has shown the token once. Its value is derived from the token, so that it needs no storage, is
 * invalid when the token changes, and does not reveal the token.
 */
export class LoginCookie {
  readonly #value: string;

  constructor(token: string) {
    this.#value = createHmac("sha256", token).update("toolwright cookie").digest("base64url");
  }

  /** "right" if one of the cookies with our name is valid: another server of this host may have set one with the same name. */
  check(request: IncomingMessage): "right" | "wrong" | "none" {
    const sent = cookiesNamed(nameFor(request), request);
    if (sent.length === 0) return "none";
    return sent.some((value) => isEqual(value, this.#value)) ? "right" : "wrong";
  }

  /** The `Set-Cookie` header that logs the browser in. */
  set(request: IncomingMessage): string {
    return `${nameFor(request)}=${this.#value}${ATTRIBUTES}${isOverTls(request) ? "; Secure" : ""}`;
  }

  /** The `Set-Cookie` header that logs the browser out. */
  clear(request: IncomingMessage): string {
    return `${nameFor(request)}=${ATTRIBUTES}; Max-Age=0`;
  }
}

const ATTRIBUTES = "; HttpOnly; SameSite=Strict; Path=/";

/** Whether a proxy says so. A wrong claim only makes browsers ignore the cookie. */
function isOverTls({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}

/** Browsers do not separate cookies by port, so the name has the port. */
function nameFor({ socket }: IncomingMessage): string {
  return `toolwright_${socket.localPort}`;
}

function cookiesNamed(name: string, { headers: { cookie = "" } }: IncomingMessage): string[] {
  return cookie
    .split(";")
    .map((each) => each.trim())
    .flatMap((each) => (each.startsWith(`${name}=`) ? [each.slice(name.length + 1)] : []));
}

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
