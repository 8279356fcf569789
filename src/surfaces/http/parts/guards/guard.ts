import type { IncomingMessage } from "node:http";
import type { ErrorResponse } from "../error-response.ts";

/** Checks the headers of a request before its body is read. Returns the error, or undefined if the request may pass. */
export type RequestGuard = (request: IncomingMessage) => ErrorResponse | undefined;

/** Runs guards in order and returns the first error. */
export function allGuards(guards: readonly RequestGuard[]): RequestGuard {
  return (request) => {
    for (const guard of guards) {
      const error = guard(request);
      if (error) return error;
    }
    return undefined;
  };
}
