import { type ServerResponse, STATUS_CODES } from "node:http";
import type { ApiError, ApiErrorCode } from "../../core/api.ts";

/** Why a request is not served. The message says what to do instead. */
export interface Refusal {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS: Readonly<Record<ApiErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  denied: 403,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  failed: 500,
  busy: 503,
  stopping: 503,
};

/** What every answer carries: nothing is kept by caches, guessed at, framed, or told to other sites. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

function statusOf({ code }: Refusal): number {
  return STATUS[code];
}

export function bodyOf({ code, message }: Refusal): string {
  return JSON.stringify({ error: { code, message } } satisfies ApiError);
}

/** The refusal as the answer of a route. */
export function toResponse(refusal: Refusal): Response {
  const headers = { ...SAFE_HEADERS, "content-type": "application/json", ...refusal.headers };
  return new Response(bodyOf(refusal), { status: statusOf(refusal), headers });
}

/** The refusal as the answer to a request that no route has seen. */
export function sendRefusal(refusal: Refusal, outgoing: ServerResponse): void {
  const body = bodyOf(refusal);
  const headers = { ...SAFE_HEADERS, "content-type": "application/json", ...refusal.headers };
  outgoing.writeHead(statusOf(refusal), { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** The refusal of what is no request at all: the bytes for the connection, which ends with it. */
export function rawRefusal(refusal: Refusal): string {
  const body = bodyOf(refusal);
  const headers = { ...SAFE_HEADERS, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  const status = statusOf(refusal);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
