import type { Content, ImageContent } from "../../core/result.ts";
import { attachmentLabel } from "../../host/output/stored-attachment.ts";
import { isModelImage } from "../../surfaces/client-limits/model-image.ts";

/** The result of a call for a model. */
export interface ModelResult {
  readonly text: string;
  readonly images: readonly ImageContent[];
  readonly failed: boolean;
}

/** An image or a file. */
export type ResultFile = Exclude<Content, { type: "text" }>;

/** Attachments that a model cannot be sent are lines of the text. */
export function toModelResult(
  result: { readonly ok: boolean; readonly content: readonly Content[]; readonly error?: { readonly message: string } },
  toLine: (part: ResultFile) => string,
): ModelResult {
  const { ok, content, error } = result;
  const lines = content.flatMap((part) =>
    part.type === "text" ? [part.text] : isModelImage(part) ? [] : [toLine(part)],
  );
  const output = lines.join("\n");
  const message = error?.message ?? "";
  const text = ok || output === message ? output : [message, output].filter((each) => each !== "").join("\n");
  return { text: text.toWellFormed(), images: content.filter(isModelImage), failed: !ok };
}

/** A line for an attachment of a prompt: its address, else `otherwise`. */
export function promptLine(part: ResultFile, otherwise: string): string {
  const { name, url } = part.type === "file" ? part : { name: undefined, url: undefined };
  return `[${part.type}${name === undefined ? "" : ` "${name}"`}, ${part.mimeType}: ${url ?? otherwise}]`;
}

/** A line for an attachment that a model cannot be sent, and that is not stored in a file. */
export function describe(part: ResultFile): string {
  const where = (part.type === "file" ? part.url : undefined) ?? "you cannot see it, but the user can";
  return `[${attachmentLabel(part)}: ${where}]`;
}
