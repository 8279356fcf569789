import { printableJson } from "../../../platform/text/printable.ts";

/** Headers of every response: no caching, no MIME sniffing, no framing, no referrer, no use by pages of other origins. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

export const JSON_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "application/json",
};

export function json(value: unknown, status = 200): Response {
  return new Response(printableJson(value), { status, headers: JSON_HEADERS });
}

/** For JSON that is already encoded. */
export function jsonBytes(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, { headers: JSON_HEADERS });
}

export function textResponse(text: string, contentType: string): Response {
  return new Response(text, { headers: { ...SECURITY_HEADERS, "content-type": contentType } });
}
