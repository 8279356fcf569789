import type { Content, ImageContent } from "../../core/result.ts";

/** The types that all model APIs accept. One image of another type would fail every later request of the conversation. */
const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** The maximum of Anthropic's API, in characters of base64. */
const MAX_LENGTH = 5 * 1024 * 1024;

/** Whether a model can be sent this part as an image. */
export function isModelImage(part: Content): part is ImageContent {
  return part.type === "image" && TYPES.has(part.mimeType) && part.data.length <= MAX_LENGTH && isBase64(part.data);
}

/** Whether a text is data in base64, and not empty. */
export function isBase64(data: string): boolean {
  return data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
