import { ToolError } from "../../index.ts";

/** A search in the lines of files. */
export interface LineQuery {
  /** A regular expression in ripgrep's syntax. */
  readonly pattern: string;
  /** Longer lines are cut. */
  readonly lineLength: number;
}

const MAX_CHARACTERS = 10_000;
const LINE_BREAK = /\n|(?<!\\)(?:\\\\)*\\n/;

/** Throws for patterns that cannot be passed to ripgrep, or whose error from ripgrep would not help a model. */
export function checkPattern(pattern: string): void {
  if (pattern === "") throw refused("is empty. Send what to search for.");
  if (pattern.length > MAX_CHARACTERS) throw refused(`has more than ${MAX_CHARACTERS} characters. Send a shorter one.`);
  if (pattern.includes("\0")) throw refused("contains a NUL byte. Send it without.");
  if (LINE_BREAK.test(pattern)) {
    throw refused("contains a line break, and lines are searched one at a time. Send a pattern for a single line.");
  }
}

function refused(what: string): ToolError {
  return new ToolError("failed", `"pattern" ${what}`);
}
