import type { Content, ImageContent } from "../../core/result.ts";

/** The result of a call for a model. */
export interface ModelResult {
  readonly text: string;
  readonly images: readonly ImageContent[];
  readonly failed: boolean;
}

/** The types that all providers accept. One image of another type would fail every later request of the session. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** The maximum of Anthropic's API, in characters of base64. */
const MAX_IMAGE = 5 * 1024 * 1024;

/** Images that a model cannot be sent, and files, are described in the text. */
export function toModelResult(result: {
  readonly ok: boolean;
  readonly content: readonly Content[];
  readonly error?: { readonly message: string };
}): ModelResult {
  const { content, error } = result;
  const parts = content.map((part) => (part.type === "text" ? part.text : isShown(part) ? undefined : describe(part)));
  const output = parts.filter((part) => part !== undefined).join("\n");
  const message = error?.message ?? "";
  const text = result.ok || output === message ? output : [message, output].filter((each) => each !== "").join("\n");
  return { text: text.toWellFormed(), images: content.filter(isShown), failed: !result.ok };
}

/** Whether a model can be sent this part as an image. */
export function isShown(part: Content): part is ImageContent {
  return (
    part.type === "image" && IMAGE_TYPES.has(part.mimeType) && part.data.length <= MAX_IMAGE && isBase64(part.data)
  );
}

/** A line for a part that a model cannot be sent. */
export function describe(part: Exclude<Content, { type: "text" }>): string {
  const name = part.type === "file" && part.name !== undefined ? ` "${part.name}"` : "";
  const size = part.data === undefined ? "" : `, ${Buffer.byteLength(part.data, "base64")} bytes`;
  const where = (part.type === "file" ? part.url : undefined) ?? "you cannot see it, but the user can";
  return `[${part.type}${name}, ${part.mimeType}${size}: ${where}]`;
}

function isBase64(data: string): boolean {
  return data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
