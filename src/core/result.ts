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
  /** Base64. */
  readonly data?: string;
  readonly url?: string;
}

/** One part of a result. */
export type Content = TextContent | ImageContent | FileContent;

/** How an output was truncated. */
export interface Truncated {
  readonly keptBytes: number;
  readonly totalBytes: number;
  readonly omittedLines: number;
  /** The file with the full output. Absent if it could not be written. */
  readonly fullOutput?: string;
}

/** Information about a call in addition to its output. */
export interface Notes {
  readonly title?: string;
  readonly durationMs: number;
  readonly truncated?: Truncated;
  /** The tool returned `undefined` and wrote nothing. */
  readonly returnedNothing?: true;
  /** Where the tool threw, in the author's source: `file:line:column`. For people; a model gets only the message. */
  readonly thrownAt?: string;
  /** The messages of the causes of the error that the tool threw. */
  readonly causes?: readonly string[];
}

/**
 * A result in the form that its tool gave it, before it is cut. Hooks see and change a result in this form. `data` is plain JSON.
 */
export interface ShapedResult {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  /** Whether the tool reports that it failed. */
  readonly isError: boolean;
}

/**
 * The result of a call. A failure is a value, not an exception.
 *
 * From a tool to a client, a result has five forms:
 * 1. What the tool returns or throws: any value.
 * 2. `ShapedResult`: content, data and title. `shape` makes it in the host.
 * 3. `HostResult`: cut to size; a failure is a code and a message. A host sends it.
 * 4. `ToolResult`: with notes and a `ToolError`. The steps of the pipeline, events and programs get it.
 * 5. The words of the client: `PlainResult` for REST, `run --json`, commands of hooks and session logs, or those of MCP and other
 *    libraries.
 */
export type ToolResult =
  | { readonly ok: true; readonly content: readonly Content[]; readonly data?: unknown; readonly notes: Notes }
  | {
      readonly ok: false;
      readonly error: ToolError;
      /** The output of the tool before it failed. */
      readonly content: readonly Content[];
      readonly data?: unknown;
      readonly notes: Notes;
    };

/** The text that a model reads: the text parts joined by newlines, or the error message. */
export function outputOf(result: ToolResult): string {
  return result.ok ? textOf(result.content) : result.error.message;
}

export function textOf(content: readonly Content[]): string {
  return content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
}
