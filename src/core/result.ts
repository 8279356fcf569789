import type { ToolError } from "./error.ts";

export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface FileContent {
  readonly type: "file";
  readonly mimeType: string;
  readonly name?: string;
  /** Base64, or a path or address where the file is. */
  readonly data?: string;
  readonly url?: string;
}

/** One piece of what a tool returned, in the order it returned them. */
export type Content = TextContent | ImageContent | FileContent;

/** What was cut from an output, and where the whole of it is. */
export interface Truncated {
  readonly keptBytes: number;
  readonly totalBytes: number;
  readonly omittedLines: number;
  /** Absent when the whole could not be written to disk. */
  readonly fullOutput?: string;
}

/** What is said about a call beside its output. */
export interface Notes {
  readonly title?: string;
  readonly durationMs: number;
  readonly truncated?: Truncated;
}

/** How a call ended. Failure is a value: every surface must show both arms. */
export type ToolResult =
  | { readonly ok: true; readonly content: readonly Content[]; readonly data?: unknown; readonly notes: Notes }
  | {
      readonly ok: false;
      readonly error: ToolError;
      /** What the tool had said before it failed. */
      readonly content: readonly Content[];
      readonly data?: unknown;
      readonly notes: Notes;
    };

/** The text of a result as a model reads it: the text parts joined by newlines, or the message of a failure. */
export function outputOf(result: ToolResult): string {
  return result.ok ? textOf(result.content) : result.error.message;
}

export function textOf(content: readonly Content[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}
