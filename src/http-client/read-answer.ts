import type { ApiError } from "../core/api.ts";
import { isObject } from "../core/is-object.ts";
import { RequestRefused } from "./request-refused.ts";

/** What was answered. The result of a call is an answer whatever its status is. */
export async function readAnswer<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (isResult(answer)) return answer as T;
  if (isError(answer)) throw new RequestRefused(response.status, answer.error);
  if (response.ok && answer !== undefined) return answer as T;
  throw new Error(`What answered with ${response.status} is not "toolwright serve". Look at the url.`);
}

function isResult(answer: unknown): boolean {
  return isObject(answer) && "ok" in answer;
}

function isError(answer: unknown): answer is ApiError {
  return isObject(answer) && isObject(answer.error) && typeof answer.error.message === "string";
}
