import { nearest } from "../../core/nearest.ts";

/** Wrong use of a command: exit code 2. The message says what to type instead. */
export class UsageError extends Error {
  readonly code: UsageCode;

  constructor(message: string, code: UsageCode = "usage") {
    super(message);
    this.code = code;
  }
}

/** What a program that reads `--json` is told: the command line is wrong, or the input or the tool it names. */
export type UsageCode = "usage" | "invalid_input" | "unknown_tool";

/** " Did you mean …?", or what else can be said. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const near = nearest(word, candidates);
  return near.length > 0 ? `Did you mean ${near.map((each) => `"${each}"`).join(" or ")}?` : otherwise;
}
