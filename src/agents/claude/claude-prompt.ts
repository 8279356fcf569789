import type { Content } from "../../core/result.ts";
import type { InputBlock, UserInput } from "./claude-sdk.ts";

/** A prompt in the format of the SDK. */
export function toUserInput(prompt: readonly Content[]): UserInput {
  return {
    type: "user",
    message: { role: "user", content: prompt.map(toBlock) },
    parent_tool_use_id: null,
  };
}

function toBlock(part: Content): InputBlock {
  // The API rejects a request with half a character.
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  const { data, mimeType } = part;
  const type = part.type === "image" ? "image" : mimeType === "application/pdf" ? "document" : undefined;
  if (type !== undefined && data !== undefined) {
    return { type, source: { type: "base64", media_type: mimeType, data } };
  }
  const { name, url } = part as Extract<Content, { type: "file" }>;
  const where = url ?? "it cannot be sent to Claude, which accepts images and PDF files";
  return { type: "text", text: `[file${name === undefined ? "" : ` "${name}"`}, ${mimeType}: ${where}]` };
}
