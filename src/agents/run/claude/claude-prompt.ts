import type { Content } from "../../../core/result.ts";
import { isBase64, isModelImage } from "../../../surfaces/client-limits/model-image.ts";
import { promptLine } from "../model-result.ts";
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
  const { mimeType, data } = part;
  if (isModelImage(part)) return toBinary("image", mimeType, part.data);
  if (mimeType === "application/pdf" && data !== undefined && isBase64(data)) {
    return toBinary("document", mimeType, data);
  }
  const refusal = "it cannot be sent to Claude. Images (PNG, JPEG, GIF, WebP, up to 5 MB) and PDF files can.";
  return { type: "text", text: promptLine(part, refusal) };
}

function toBinary(type: "image" | "document", media_type: string, data: string): InputBlock {
  return { type, source: { type: "base64", media_type, data } };
}
