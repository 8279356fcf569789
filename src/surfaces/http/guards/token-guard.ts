import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Guard } from "./guard.ts";

/** What may be had without the token: it says nothing but that the server is there. */
const OPEN = new Set(["/healthz"]);

/**
 * Only who holds the token is served. It is sent as a bearer token; a GET may have it in its address as well, since a
 * browser that opens a page or a stream of events can send no header.
 */
export function tokenGuard(token: string): Guard {
  const wanted = digest(token);
  return (request) => {
    const { path, query } = partsOf(request);
    if (OPEN.has(path)) return undefined;
    const given = bearerOf(request) ?? (isReading(request) ? new URLSearchParams(query).get("token") : undefined);
    if (given && timingSafeEqual(digest(given), wanted)) return undefined;
    const said = given ? "This token is not the one of this server." : "This server wants its token.";
    return {
      code: "unauthorized",
      message: `${said} Send "Authorization: Bearer TOKEN", with the token that was printed when it started.`,
      headers: { "www-authenticate": "Bearer" },
    };
  };
}

/** Of equal length whatever was given, so that comparing takes equally long. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function bearerOf({ headers: { authorization = "" } }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

function isReading({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function partsOf({ url = "" }: IncomingMessage): { path: string; query: string } {
  const at = url.indexOf("?");
  return at < 0 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
