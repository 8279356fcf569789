import type { Format } from "./tool.ts";

/** What a file was taken for, for whoever wrote it. */
export interface FormatInfo {
  readonly format: Format;
  /** What in the file, or about it, says so: the rest of a sentence that begins with "because". */
  readonly why: string;
  /** What the file uses and what has no effect here, a sentence each. */
  readonly unsupportedFeatures: readonly string[];
}
