import { type ServerResponse, STATUS_CODES } from "node:http";
import type { ApiError, ApiErrorCode } from "../../../core/api.ts";
import { printableJson } from "../../../platform/text/printable.ts";
import { JSON_HEADERS } from "./json-response.ts";

/** The code and message of an HTTP error response. The message says what to do next. */
export interface ErrorResponse {
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
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  failed: 500,
  busy: 503,
  sessions_unavailable: 503,
  stopping: 503,
};

function bodyOf({ code, message }: ErrorResponse): string {
  return printableJson({ error: { code, message } } satisfies ApiError);
}

/** For routes. */
export function toErrorResponse(error: ErrorResponse): Response {
  return new Response(bodyOf(error), { status: STATUS[error.code], headers: { ...JSON_HEADERS, ...error.headers } });
}

/** For requests that no route has handled. */
export function sendErrorResponse(error: ErrorResponse, outgoing: ServerResponse): void {
  const body = bodyOf(error);
  const headers = { ...JSON_HEADERS, ...error.headers, "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(STATUS[error.code], headers).end(body);
}

/** For connections on which Node has parsed no request: the bytes of the response, which closes the connection. */
export function rawErrorResponse(error: ErrorResponse): string {
  const body = bodyOf(error);
  const headers = { ...JSON_HEADERS, "content-length": Buffer.byteLength(body), ...error.headers, connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = STATUS[error.code];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}
