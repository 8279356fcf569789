import type { ToolErrorCode } from "./error.ts";
import { type Content, type Notes, outputOf, type ToolResult } from "./result.ts";

/** How a call ended, as JSON: what `run --json` prints and the REST API answers. */
export interface PlainResult {
  readonly ok: boolean;
  /** What a model reads: the text of the content, or the message of the error. */
  readonly output: string;
  readonly content: readonly Content[];
  readonly data?: unknown;
  /** There if and only if the call failed. */
  readonly error?: { readonly code: ToolErrorCode; readonly message: string; readonly data?: unknown };
  readonly notes: Notes;
}

export function toPlain(result: ToolResult): PlainResult {
  const { ok, content, data, notes } = result;
  return {
    ok,
    output: outputOf(result),
    content,
    ...(data === undefined ? {} : { data }),
    ...(result.ok ? {} : { error: result.error.toJSON() }),
    notes,
  };
}
