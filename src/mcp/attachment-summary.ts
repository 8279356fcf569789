import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Content } from "../core/result.ts";

/**
 * What stands beside pictures and files that come without a word, each of them with the block that carries it. Some clients
 * pass nothing but text on to their model, for which that would be an empty answer. Empty where there is text, or nothing.
 */
export function attachmentSummary(parts: readonly Content[], blocks: readonly ContentBlock[]): ContentBlock[] {
  if (blocks.some((block) => block.type === "text" && block.text !== "")) return [];
  const lines = parts.flatMap((part, at) => (part.type === "text" ? [] : [lineOf(part, blocks[at])]));
  return lines.length === 0 ? [] : [{ type: "text", text: lines.join("\n") }];
}

function lineOf(part: Exclude<Content, { type: "text" }>, block: ContentBlock | undefined): string {
  const name = part.type === "file" && part.name !== undefined ? ` "${part.name}"` : "";
  const size = part.data === undefined ? "" : `, ${Buffer.byteLength(part.data, "base64")} bytes`;
  const where = block?.type === "resource_link" ? block.uri : "attached. If you cannot see it, tell the user.";
  return `[${part.type}${name}, ${part.mimeType}${size}: ${where}]`;
}
