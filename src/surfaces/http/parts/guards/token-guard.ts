import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ErrorResponse } from "../error-response.ts";
import type { LoginCookie } from "../login-cookie.ts";
import type { RequestGuard } from "./guard.ts";

interface TokenOptions {
  /** Accepted instead of the token, from the page of this server only. */
  readonly cookie?: LoginCookie;
  /** Whether a request needs no token, in addition to `GET /healthz`. */
  readonly isPublic?: (request: IncomingMessage) => boolean;
}

/**
 * Requires the token as a bearer token, or the cookie of a browser that has shown it. A GET may have the token in the query
 * instead, because a browser cannot send headers when it opens a page or an event stream.
 */
export function tokenGuard(token: string, { cookie, isPublic = () => false }: TokenOptions = {}): RequestGuard {
  const isToken = tokenCheck(token);
  return (request) => {
    const { path, query } = partsOf(request);
    if (path === "/healthz" || isPublic(request)) return undefined;
    const sent = bearerOf(request) ?? (isReading(request) ? new URLSearchParams(query).get("token") : undefined);
    if (sent) return isToken(sent) ? undefined : unauthorized("This is not the token of this server.");
    switch (cookie?.check(request) ?? "none") {
      case "right":
        return isFromOwnPage(request) ? undefined : FROM_ELSEWHERE;
      case "wrong":
        return unauthorized(
          "This server has another token since the login: it was restarted, or you have logged in to another server.",
        );
      case "none":
        return unauthorized("This server requires its token.");
    }
  };
}

/** Returns a function that compares a text with the token, in a time that does not depend on the text. */
export function tokenCheck(token: string): (text: string) => boolean {
  const expected = digest(token);
  return (text) => timingSafeEqual(digest(text), expected);
}

function unauthorized(reason: string): ErrorResponse {
  return {
    code: "unauthorized",
    message: `${reason} Send "Authorization: Bearer TOKEN", with the token that was printed when it started.`,
    headers: { "www-authenticate": "Bearer" },
  };
}

const FROM_ELSEWHERE: ErrorResponse = {
  code: "forbidden_origin",
  message:
    "The cookie of the page counts only in requests of the page itself. Programs send the token: Authorization: Bearer TOKEN.",
};

/**
 * Whether a browser sent the request for a page of this server, or because the user opened its address. `SameSite` does not
 * suffice: a page on another port of this host is of the same site. Browsers send `Origin` with every request that is not a
 * GET, and `Sec-Fetch-Site` with every request to a loopback address or over TLS.
 */
function isFromOwnPage(request: IncomingMessage): boolean {
  const { origin, host = "", "sec-fetch-site": site } = request.headers;
  const isOwnSite = site === undefined || site === "same-origin";
  const isOwnOrigin = origin?.toLowerCase().replace(/^https?:\/\//, "") === host.toLowerCase();
  if (!isReading(request)) return isOwnSite && isOwnOrigin;
  return (isOwnSite || site === "none") && (origin === undefined || isOwnOrigin);
}

/** Digests have the same length, which `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The token that a request has in its `Authorization` header. A request without one that reaches a route has the cookie. */
export function bearerOf({ headers: { authorization = "" } }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

function isReading({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** The path and the query of a request, not decoded. */
export function partsOf({ url = "" }: Pick<IncomingMessage, "url">): { path: string; query: string } {
  const at = url.indexOf("?");
  return at < 0 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
