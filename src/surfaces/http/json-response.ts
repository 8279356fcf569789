import { SAFE_HEADERS } from "./refusal.ts";

const JSON_HEADERS = { ...SAFE_HEADERS, "content-type": "application/json" };

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: JSON_HEADERS });
}

/** JSON that has been made before. */
export function jsonBytes(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, { headers: JSON_HEADERS });
}
