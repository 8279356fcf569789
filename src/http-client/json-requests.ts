import { readJsonResponse } from "./read-response.ts";
import { type RequestOptions, type ServerAddress, send } from "./send.ts";

/** Rejects with `RequestRefused` if the server refuses the request. */
export async function getJson<T>(server: ServerAddress, path: string, { signal }: RequestOptions = {}): Promise<T> {
  return readJsonResponse<T>(await send(server, path, { signal }));
}

/** Sends a body as JSON. Rejects with `RequestRefused` if the server refuses the request. */
export async function postJson<T>(
  server: ServerAddress,
  path: string,
  body: unknown,
  { signal }: RequestOptions = {},
): Promise<T> {
  const headers = { "content-type": "application/json" };
  return readJsonResponse<T>(await send(server, path, { method: "POST", body: JSON.stringify(body), headers, signal }));
}
