import type { Content } from "../core/result.ts";
import { isObject } from "../platform/values/is-object.ts";

/**
 * The content of a message that a tool file sends: a text, or a list of texts and images. Other parts are dropped. Undefined if
 * nothing is left.
 */
export function messageContent(message: unknown): readonly Content[] | undefined {
  const parts = Array.isArray(message) ? message : [message];
  const content = parts.flatMap(toContent);
  return content.length > 0 ? content : undefined;
}

function toContent(part: unknown): Content[] {
  if (typeof part === "string") return part === "" ? [] : [{ type: "text", text: part }];
  if (!isObject(part)) return [];
  const { type, text, data, mimeType } = part;
  if (type === "text" && typeof text === "string") return toContent(text);
  const isImage = type === "image" && typeof data === "string" && typeof mimeType === "string";
  return isImage ? [{ type: "image", data, mimeType }] : [];
}
