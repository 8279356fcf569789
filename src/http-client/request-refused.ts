import type { ApiError, ApiErrorCode } from "../core/api.ts";

/** The server did not take a request. The message says what to do. A call that failed is no such error: it is a result. */
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
