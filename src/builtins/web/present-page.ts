import { type Tool, ToolError } from "../../index.ts";
import { convertPage } from "./convert-page.ts";
import type { FetchedPage } from "./fetch-page.ts";
import { titleOf } from "./page-title.ts";
import { type PageContent, recogniseContent } from "./recognise-content.ts";
import type { PageFormat } from "./send-request.ts";

interface PresentOptions {
  readonly format: PageFormat;
  readonly maxBytes: number;
  readonly convertMs: number;
  readonly convertMb: number;
  readonly abort: AbortSignal;
}

type TextContent = Extract<PageContent, { kind: "text" }>;

/** The text of a page, and notes about the conversion. */
interface ConvertedText {
  readonly text: string;
  readonly as: string;
  readonly notes: readonly string[];
}

/** Makes the result for a fetched page. Rejects for content that cannot be shown. */
export async function presentPage(page: FetchedPage, options: PresentOptions): Promise<Tool.Result> {
  const content = await recogniseContent(page.body, page.contentType);
  if (content.kind === "text") return presentText(page, content, options);
  const { bytes, isCut } = page.body;
  if (isCut) throw tooLarge(page, content.type, options.maxBytes);
  if (content.kind === "binary") throw notShown(page, content.type);
  const data = Buffer.from(bytes).toString("base64");
  const attachment =
    content.kind === "image"
      ? { type: "image", mimeType: content.type, data }
      : { type: "file", mimeType: content.type, name: nameOf(page.url), data };
  return {
    title: page.url,
    metadata: metadataOf(page, content.type),
    output: headerOf(page, `${content.type}, ${bytes.length} bytes, attached`),
    attachments: [attachment],
  };
}

async function presentText(page: FetchedPage, content: TextContent, options: PresentOptions): Promise<Tool.Result> {
  const title = content.isHtml ? titleOf(content.text) : undefined;
  const { text, as, notes } = await convertContent(page, content, options);
  const { bytes, isCut } = page.body;
  const cut = `It is longer than ${options.maxBytes} bytes, and only that much of it was read.`;
  const head = headerOf(page, `${content.type}, ${bytes.length} bytes${as}`, title, [
    ...notes,
    ...(isCut ? [cut] : []),
  ]);
  return {
    title: title ?? page.url,
    metadata: { ...metadataOf(page, content.type), ...(title ? { title } : {}) },
    output: `${head}\n\n${text.trim() === "" ? "The page has no text." : text}`,
  };
}

async function convertContent(
  { url }: FetchedPage,
  content: TextContent,
  options: PresentOptions,
): Promise<ConvertedText> {
  const { text: html, isHtml } = content;
  if (!isHtml) return { text: html, as: "", notes: [] };
  if (options.format === "html") return { text: html, as: ", unchanged", notes: [] };
  const { convertMs: maxMs, convertMb: maxMb, abort: signal } = options;
  const markdown =
    options.format === "markdown"
      ? await convertPage(html, { form: "markdown", url }, { maxMs, maxMb, signal })
      : undefined;
  if (markdown !== undefined) return { text: markdown, as: ", as markdown", notes: [] };
  // The conversion to text is linear, and needs no time limit.
  const text = await convertPage(html, { form: "text", url }, { maxMb, signal });
  if (text === undefined) throw notConverted(url, maxMb);
  const note = `It could not be converted to markdown within ${maxMs} ms and ${maxMb} MB, so it is shown as text.`;
  return { text, as: ", as text", notes: options.format === "markdown" ? [note] : [] };
}

function headerOf(page: FetchedPage, type: string, title?: string, notes: readonly string[] = []): string {
  const way = [...page.hops.map(({ url, status }) => `${url} (${status})`), page.url].join(" -> ");
  return [
    `URL: ${page.url}`,
    ...(page.hops.length > 0 ? [`Redirects: ${way}`] : []),
    `Type: ${type}`,
    ...(title ? [`Title: ${title}`] : []),
    ...notes.map((note) => `Note: ${note}`),
  ].join("\n");
}

function metadataOf({ url, hops, status, body }: FetchedPage, contentType: string): Record<string, unknown> {
  return { url, redirects: hops, status, contentType, bytes: body.bytes.length, truncated: body.isCut };
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  return last.replace(/%[0-9a-f]{2}/gi, "_") || "page.pdf";
}

function tooLarge({ url }: FetchedPage, type: string, maxBytes: number): ToolError {
  return new ToolError(
    "failed",
    `${url} is ${type} of more than ${maxBytes} bytes, which is too large to be attached.`,
  );
}

function notShown({ url, body }: FetchedPage, type: string): ToolError {
  return new ToolError(
    "failed",
    `${url} is ${type} of ${body.bytes.length} bytes: neither text nor a PDF nor a picture that can be shown. If you need the file itself, download it with bash.`,
  );
}

function notConverted(url: string, maxMb: number): ToolError {
  return new ToolError(
    "failed",
    `${url} was fetched, but it could not be converted to text within ${maxMb} MB. Send the format "html" to get it unchanged.`,
  );
}
