import { readResponse } from "./read-response.ts";
import { type Connection, type RequestOptions, send } from "./send.ts";

/** Rejects with `RequestRefused` if the server refuses the request. */
export async function getJson<T>(server: Connection, path: string, { signal }: RequestOptions = {}): Promise<T> {
  return readResponse<T>(await send(server, path, { signal }));
}

/** Sends a body as JSON. Rejects with `RequestRefused` if the server refuses the request. */
export async function postJson<T>(
  server: Connection,
  path: string,
  body: unknown,
  { signal }: RequestOptions = {},
): Promise<T> {
  const headers = { "content-type": "application/json" };
  return readResponse<T>(await send(server, path, { method: "POST", body: JSON.stringify(body), headers, signal }));
}
