import { isObject } from "../../platform/values/is-object.ts";
import type { PiContent } from "./pi-api.ts";

/** A tool in the list of an MCP server. */
export interface ListedMcpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly annotations?: { readonly title?: string };
}

/** The content of a result for pi, which has texts and images only. Other blocks become texts. */
export function toPiContent(content: unknown): PiContent[] {
  return (Array.isArray(content) ? content.filter(isObject) : []).map((block): PiContent => {
    if (block.type === "image") return { type: "image", data: String(block.data), mimeType: String(block.mimeType) };
    return { type: "text", text: blockText(block) };
  });
}

function blockText({ type, text, uri, name, mimeType, resource }: Readonly<Record<string, unknown>>): string {
  if (type === "text") return String(text);
  if (type === "resource_link") return `[${name ?? "file"}: ${uri}]`;
  if (type === "resource" && isObject(resource))
    return typeof resource.text === "string" ? resource.text : `[${resource.uri}]`;
  return `[${type}, ${mimeType}: pi cannot show it]`;
}

/** The texts of a result, joined. */
export function textIn(content: readonly PiContent[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
