import type { ToolErrorCode } from "./error.ts";
import { type Content, type Notes, outputOf, type ToolResult } from "./result.ts";

interface Plain {
  /** The output for a model: the text of the content, or the message of the error. */
  readonly output: string;
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly notes: Notes;
}

/** Why a call failed, as JSON. */
export interface PlainError {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

/** The result of a call as JSON, in `run --json` and the REST API. */
export type PlainResult =
  | (Plain & { readonly ok: true; readonly error?: never })
  | (Plain & { readonly ok: false; readonly error: PlainError });

export function toPlain(result: ToolResult): PlainResult {
  const { content, data, notes } = result;
  const output = outputOf(result);
  const more = data === undefined ? {} : { data };
  if (result.ok) return { ok: true, output, content, ...more, notes };
  return { ok: false, output, content, ...more, error: result.error.toJSON(), notes };
}
