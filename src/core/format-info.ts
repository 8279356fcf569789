import type { Format } from "./tool.ts";

/** The detected format of a file. The author of the file reads this. */
export interface FormatInfo {
  readonly format: Format;
  /** Why the file has this format. Completes a sentence that begins with "because". */
  readonly why: string;
  /** One sentence for each feature that the file uses and that has no effect in Toolwright. */
  readonly unsupportedFeatures: readonly string[];
}
