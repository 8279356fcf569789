import { isModelImage } from "../../core/model-image.ts";
import type { Content, ImageContent } from "../../core/result.ts";

/** The result of a call for a model. */
export interface ModelResult {
  readonly text: string;
  readonly images: readonly ImageContent[];
  readonly failed: boolean;
}

/** Images that a model cannot be sent, and files, are described in the text. */
export function toModelResult(result: {
  readonly ok: boolean;
  readonly content: readonly Content[];
  readonly error?: { readonly message: string };
}): ModelResult {
  const { content, error } = result;
  const parts = content.map((part) =>
    part.type === "text" ? part.text : isModelImage(part) ? undefined : describe(part),
  );
  const output = parts.filter((part) => part !== undefined).join("\n");
  const message = error?.message ?? "";
  const text = result.ok || output === message ? output : [message, output].filter((each) => each !== "").join("\n");
  return { text: text.toWellFormed(), images: content.filter(isModelImage), failed: !result.ok };
}

/** A line for a part that a model cannot be sent. */
export function describe(part: Exclude<Content, { type: "text" }>): string {
  const name = part.type === "file" && part.name !== undefined ? ` "${part.name}"` : "";
  const size = part.data === undefined ? "" : `, ${Buffer.byteLength(part.data, "base64")} bytes`;
  const where = (part.type === "file" ? part.url : undefined) ?? "you cannot see it, but the user can";
  return `[${part.type}${name}, ${part.mimeType}${size}: ${where}]`;
}
