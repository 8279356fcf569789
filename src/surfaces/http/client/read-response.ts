import type { ApiError, ApiErrorCode } from "../../../core/api.ts";
import { isObject } from "../../../platform/values/is-object.ts";

/** The server refused a request. The message says what to do. A failed call is a result and not this error. */
export class RequestRefused extends Error {
  override readonly name: string = "RequestRefused";
  readonly status: number;
  readonly code: ApiErrorCode;

  constructor(status: number, { code, message }: ApiError["error"]) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The JSON of a response. The result of a call resolves with any status. */
export async function readJsonResponse<T>(response: Response): Promise<T> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isObject(body) && "ok" in body) return body as T;
  if (isError(body)) throw new RequestRefused(response.status, body.error);
  if (response.ok && body !== undefined) return body as T;
  throw new Error(`The response with status ${response.status} is not from "toolwright serve". Check the url.`);
}

function isError(body: unknown): body is ApiError {
  return isObject(body) && isObject(body.error) && typeof body.error.message === "string";
}
