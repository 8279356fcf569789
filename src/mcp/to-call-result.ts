import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Content, FileContent, ToolResult } from "../core/result.ts";
import { textOf } from "../core/result.ts";
import type { JsonSchema } from "../core/schema.ts";
import { fullOutputStore, outputsFolder } from "../output/outputs.ts";
import { attachmentSummary } from "./attachment-summary.ts";
import type { OutputResources } from "./output-resources.ts";
import { toData } from "./resource-data.ts";

/** What a result needs to be carried: whose it is, and what the client understands. */
export interface Carrier {
  readonly call: { readonly name: string; readonly sessionID: string; readonly callID: string };
  /** The version of the protocol that was agreed on; older ones have fewer kinds of content. */
  readonly version: string | undefined;
  readonly outputs: OutputResources;
  readonly home: string;
  /** What the paths of files start from. */
  readonly directory: string;
  readonly embedBytes: number;
  /** The schema of the output that the client was told to expect; undefined where it was told none. */
  readonly outputSchema: JsonSchema | undefined;
}

/**
 * How a call ended, in the words of the protocol. Structured content is sent only where the tool declares it, for several
 * clients show it instead of the text.
 */
export function toCallResult(result: ToolResult, carrier: Carrier): CallToolResult {
  const blocks = result.content.map((part) => toBlock(part, carrier));
  const content = [
    ...blocks,
    ...(result.ok ? attachmentSummary(result.content, blocks) : []),
    ...fullOutput(result, carrier),
  ];
  if (result.ok) return carrier.outputSchema === undefined ? { content } : structured(content, result.data, carrier);
  const { message } = result.error;
  const said = textOf(result.content) === message ? content.filter(({ type }) => type !== "text") : content;
  return { content: [{ type: "text", text: message }, ...said], isError: true };
}

/**
 * Clients refuse a result that lacks what they were told to expect, unless it is an error. The older era knows only objects:
 * there the SDK lists anything else as an object with the field "result".
 */
function structured(
  content: ContentBlock[],
  data: unknown,
  { outputSchema, version = "", call }: Carrier,
): CallToolResult {
  if (data === undefined) {
    const text = `"${call.name}" has run, but its result has lost the data that it declares: a hook has changed it, or the tool is another since it was listed. What it says follows.`;
    return { content: [{ type: "text", text }, ...content], isError: true };
  }
  const isWrapped = outputSchema?.type !== "object" && version < "2026-07-28";
  return { content, structuredContent: isWrapped ? { result: data } : data };
}

/** The whole of an output that was cut can be read as a resource. */
function fullOutput({ notes }: ToolResult, { call, outputs, version }: Carrier): ContentBlock[] {
  const { fullOutput: path, totalBytes } = notes.truncated ?? {};
  if (path === undefined || !hasLinks(version)) return [];
  const mimeType = "text/plain";
  const uri = outputs.add(call.sessionID, { path, mimeType });
  const size = totalBytes === undefined ? {} : { size: totalBytes };
  return [{ type: "resource_link", uri, name: `${call.name}: full output`, mimeType, ...size }];
}

function toBlock(part: Content, carrier: Carrier): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.data !== undefined && !isBase64(part.data)) {
    return { type: "text", text: `[${part.type}, ${part.mimeType}: its data is not valid base64]` };
  }
  if (part.type === "image") return { type: "image", data: part.data, mimeType: part.mimeType };
  if (part.data === undefined) return elsewhere(part, carrier);
  if (part.mimeType.startsWith("audio/") && hasAudio(carrier.version)) {
    return { type: "audio", data: part.data, mimeType: part.mimeType };
  }
  return withData(part, part.data, carrier);
}

/** A file that the tool only names. */
function elsewhere({ url = "", name, mimeType }: FileContent, { version, directory }: Carrier): ContentBlock {
  const uri = URL.canParse(url) && !/^[a-z]:/i.test(url) ? url : pathToFileURL(resolve(directory, url)).href;
  if (!hasLinks(version)) return { type: "text", text: `[file${quoted(name)}, ${mimeType}: ${url}]` };
  return { type: "resource_link", uri, name: name ?? url, mimeType };
}

/** A small file travels along; a large one is stored, and left to be read. */
function withData({ name, mimeType, url }: FileContent, data: string, carrier: Carrier): ContentBlock {
  const { call, outputs, embedBytes, version } = carrier;
  const bytes = Buffer.from(data, "base64");
  if (bytes.length <= embedBytes) {
    const uri = url ?? `toolwright://files/${encoded(call.callID)}/${encoded(name ?? "file")}`;
    return { type: "resource", resource: { uri, mimeType, ...toData(bytes, mimeType) } };
  }
  const path = stored(bytes, carrier);
  const size = bytes.length;
  if (path === undefined)
    return { type: "text", text: `[file${quoted(name)}, ${mimeType}, ${size} bytes: it could not be stored]` };
  if (!hasLinks(version)) return { type: "text", text: `[file${quoted(name)}, ${mimeType}, ${size} bytes: ${path}]` };
  const uri = outputs.add(call.sessionID, { path, mimeType });
  return { type: "resource_link", uri, name: name ?? `${call.name}: file`, mimeType, size };
}

function stored(bytes: Uint8Array, { home, call }: Carrier): string | undefined {
  const file = fullOutputStore(outputsFolder(home), call, { extension: "attached.bin" }).open();
  file?.write(bytes);
  return file?.close();
}

/** Half a character, which clients and authors can send, would cost the whole result. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** One piece that is not would cost the whole result. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function quoted(name: string | undefined): string {
  return name === undefined ? "" : ` "${name}"`;
}

/** Versions are dates: they compare as texts. */
function hasLinks(version = ""): boolean {
  return version >= "2025-06-18";
}

function hasAudio(version = ""): boolean {
  return version >= "2025-03-26";
}
