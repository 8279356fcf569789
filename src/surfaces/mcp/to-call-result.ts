import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { type Content, type FileContent, type ToolResult, textOf } from "../../core/result.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { fullOutputStore, outputsFolder } from "../../host/output/outputs.ts";
import { attachmentLabel } from "../../host/output/stored-attachment.ts";
import type { OutputResources } from "./output-resources.ts";
import { toResourceContent } from "./resource-data.ts";

/** The call of a result, and what its client supports. */
interface ResultContext {
  readonly call: { readonly name: string; readonly sessionID: string; readonly callID: string };
  /** The negotiated protocol version. Older ones have fewer kinds of content. */
  readonly version: string | undefined;
  readonly outputs: OutputResources;
  readonly home: string;
  /** Paths of files are relative to it. */
  readonly directory: string;
  readonly embedBytes: number;
  /** The output schema that the client was sent, if any. */
  readonly outputSchema: JsonSchema | undefined;
}

/** Converts a result to MCP. Structured content is sent only if the client has an output schema: some show it instead of text. */
export function toCallResult(result: ToolResult, context: ResultContext): CallToolResult {
  const blocks = result.content.map((part) => toBlock(part, context));
  const content = [
    ...blocks,
    ...(result.ok ? attachmentSummary(result.content, blocks) : []),
    ...fullOutputLink(result, context),
  ];
  if (result.ok)
    return context.outputSchema === undefined ? { content } : withStructuredContent(content, result.data, context);
  const { message } = result.error;
  const rest = textOf(result.content) === message ? content.filter(({ type }) => type !== "text") : content;
  return { content: [{ type: "text", text: message }, ...rest], isError: true };
}

/** A text block that lists the attachments of a result without text: some clients pass only text on to their model. */
function attachmentSummary(parts: readonly Content[], blocks: readonly ContentBlock[]): ContentBlock[] {
  if (blocks.some((block) => block.type === "text" && block.text !== "")) return [];
  const lines = parts.flatMap((part, at) => (part.type === "text" ? [] : [summaryLine(part, blocks[at])]));
  return lines.length === 0 ? [] : [{ type: "text", text: lines.join("\n") }];
}

function summaryLine(part: Exclude<Content, { type: "text" }>, block: ContentBlock | undefined): string {
  const where = block?.type === "resource_link" ? block.uri : "attached. If you cannot see it, tell the user.";
  return `[${attachmentLabel(part)}: ${where}]`;
}

/**
 * Clients reject a result without structured content if they have an output schema, unless it is an error. Before 2026-07-28
 * structured content is an object: the SDK lists other schemas as an object with the field "result".
 */
function withStructuredContent(
  content: ContentBlock[],
  data: unknown,
  { outputSchema, version = "", call }: ResultContext,
): CallToolResult {
  if (data === undefined) {
    const text = `"${call.name}" has run, but its result lacks the structured data that it declares: a hook has changed it, or the tool has changed since it was listed. Its text follows.`;
    return { content: [{ type: "text", text }, ...content], isError: true };
  }
  const isWrapped = outputSchema?.type !== "object" && version < "2026-07-28";
  return { content, structuredContent: isWrapped ? { result: data } : data };
}

/** Links the full output of a result that was cut. */
function fullOutputLink({ notes }: ToolResult, { call, outputs, version }: ResultContext): ContentBlock[] {
  const { fullOutput: path, totalBytes } = notes.truncated ?? {};
  if (path === undefined || !hasLinks(version)) return [];
  const mimeType = "text/plain";
  const uri = outputs.add(call.sessionID, { path, mimeType });
  const size = totalBytes === undefined ? {} : { size: totalBytes };
  return [{ type: "resource_link", uri, name: `${call.name}: full output`, mimeType, ...size }];
}

function toBlock(part: Content, context: ResultContext): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.data !== undefined && !isBase64(part.data)) {
    return { type: "text", text: `[${part.type}, ${part.mimeType}: its data is not valid base64]` };
  }
  if (part.type === "image") return { type: "image", data: part.data, mimeType: part.mimeType };
  if (part.data === undefined) return linkedFile(part, context);
  if (part.mimeType.startsWith("audio/") && hasAudio(context.version)) {
    return { type: "audio", data: part.data, mimeType: part.mimeType };
  }
  return attachedFile(part, part.data, context);
}

/** For a file that the tool returned by URL or path. */
function linkedFile({ url = "", name, mimeType }: FileContent, { version, directory }: ResultContext): ContentBlock {
  const uri = URL.canParse(url) && !/^[a-z]:/i.test(url) ? url : pathToFileURL(resolve(directory, url)).href;
  if (!hasLinks(version)) return { type: "text", text: `[file${quoted(name)}, ${mimeType}: ${url}]` };
  return { type: "resource_link", uri, name: name ?? url, mimeType };
}

/** Embeds a small file; stores and links a large one. */
function attachedFile({ name, mimeType, url }: FileContent, data: string, context: ResultContext): ContentBlock {
  const { call, outputs, embedBytes, version } = context;
  const bytes = Buffer.from(data, "base64");
  if (bytes.length <= embedBytes) {
    const uri = url ?? `toolwright://files/${encoded(call.callID)}/${encoded(name ?? "file")}`;
    return { type: "resource", resource: { uri, mimeType, ...toResourceContent(bytes, mimeType) } };
  }
  const path = storeFile(bytes, context);
  const size = bytes.length;
  if (path === undefined)
    return { type: "text", text: `[file${quoted(name)}, ${mimeType}, ${size} bytes: it could not be stored]` };
  if (!hasLinks(version)) return { type: "text", text: `[file${quoted(name)}, ${mimeType}, ${size} bytes: ${path}]` };
  const uri = outputs.add(call.sessionID, { path, mimeType });
  return { type: "resource_link", uri, name: name ?? `${call.name}: file`, mimeType, size };
}

function storeFile(bytes: Uint8Array, { home, call }: ResultContext): string | undefined {
  const file = fullOutputStore(outputsFolder(home), call, { extension: "attached.bin" }).open();
  file?.write(bytes);
  return file?.close();
}

/** `encodeURIComponent` throws for lone surrogates. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Clients reject a whole result because of invalid base64. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function quoted(name: string | undefined): string {
  return name === undefined ? "" : ` "${name}"`;
}

/** Versions are dates, so they compare as strings. */
function hasLinks(version = ""): boolean {
  return version >= "2025-06-18";
}

function hasAudio(version = ""): boolean {
  return version >= "2025-03-26";
}
