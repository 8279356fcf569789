import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Guard } from "./guard.ts";

/** Paths that need no token. */
const PUBLIC_PATHS = new Set(["/healthz"]);

/**
 * Requires the token as a bearer token. A GET may have it in the query instead, because a browser cannot send headers when it
 * opens a page or an event stream.
 */
export function tokenGuard(token: string): Guard {
  const expected = digest(token);
  return (request) => {
    const { path, query } = partsOf(request);
    if (PUBLIC_PATHS.has(path)) return undefined;
    const sent = bearerOf(request) ?? (isReading(request) ? new URLSearchParams(query).get("token") : undefined);
    if (sent && timingSafeEqual(digest(sent), expected)) return undefined;
    const reason = sent ? "This is not the token of this server." : "This server requires its token.";
    return {
      code: "unauthorized",
      message: `${reason} Send "Authorization: Bearer TOKEN", with the token that was printed when it started.`,
      headers: { "www-authenticate": "Bearer" },
    };
  };
}

/** Digests have the same length, which `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
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
