import { nearest, suggestion } from "../../../platform/text/nearest.ts";

/** Wrong arguments: exit code 2. The message says what to type instead. */
export class UsageError extends Error {
  readonly code: UsageCode;

  constructor(message: string, code: UsageCode = "usage") {
    super(message);
    this.code = code;
  }
}

/** The error code for `--json`. */
type UsageCode =
  | "usage"
  | "invalid_input"
  | "unknown_tool"
  | "session_not_found"
  | "invalid_session_id"
  | "unknown_agent";

/** "Did you mean …?", or `otherwise` if no candidate is similar. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  return suggestion(nearest(word, candidates)) || otherwise;
}
