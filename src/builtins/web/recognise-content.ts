import { fileTypeFromBuffer } from "file-type";
import sniff from "html-encoding-sniffer";
import type { Body } from "./read-body.ts";

/** The kind of content. Text is recognised whatever its label; other content is recognised by its bytes. */
export type PageContent =
  | { readonly kind: "text"; readonly type: string; readonly text: string; readonly isHtml: boolean }
  | { readonly kind: "image" | "pdf" | "binary"; readonly type: string };

/** Image types that models accept. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const TEXTUAL = /^text\/|[/+](?:json|xml|javascript|ecmascript|yaml|x-www-form-urlencoded|x-ndjson|xhtml)$|\+xml$/;
const HTML = new Set(["text/html", "application/xhtml+xml"]);
const SAMPLE = 65_536;

export async function recogniseContent({ bytes, isCut }: Body, contentType: string | undefined): Promise<PageContent> {
  const [type = "", charset] = readContentType(contentType);
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  if (found === "application/pdf") return { kind: "pdf", type: found };
  if (isText(bytes.subarray(0, SAMPLE), type, charset, found)) {
    const text = decodeText({ bytes, type, charset, isCut });
    const known = type || (startsAsHtml(text) ? "text/html" : "text/plain");
    return { kind: "text", type: known, text, isHtml: HTML.has(known) };
  }
  if (found && IMAGES.has(found)) return { kind: "image", type: found };
  return { kind: "binary", type: found ?? (type || "application/octet-stream") };
}

function readContentType(header = ""): [type: string, charset: string | undefined] {
  const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(header)?.[1];
  return [header.split(";", 1)[0]?.trim().toLowerCase() ?? "", charset];
}

function isText(sample: Uint8Array, type: string, charset: string | undefined, found: string | undefined): boolean {
  if (/^utf-?16/i.test(charset ?? "") || startsAsUtf16(sample)) return true;
  if (sample.includes(0)) return false;
  return isUtf8(sample, true) || TEXTUAL.test(type) || (type === "" && found === undefined);
}

function startsAsUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function startsAsHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 1_000));
}

interface EncodedText {
  readonly bytes: Uint8Array;
  /** The media type, without parameters. */
  readonly type: string;
  /** The charset of the Content-Type header. */
  readonly charset: string | undefined;
  /** Whether the bytes may end within a character. */
  readonly isCut: boolean;
}

/**
 * Decodes like browsers: the byte order mark overrides the header, and the header overrides declarations in the text.
 */
function decodeText({ bytes, type, charset, isCut }: EncodedText): string {
  const encoding = sniff(bytes, {
    xml: /[/+]xml$/.test(type),
    ...(charset ? { transportLayerEncodingLabel: charset } : {}),
    defaultEncoding: isUtf8(bytes, isCut) ? "UTF-8" : "windows-1252",
  });
  // With `stream`, an incomplete character at the end is dropped.
  return decoderFor(encoding).decode(bytes, { stream: isCut });
}

/** With `isCut`, an incomplete character at the end is accepted. */
function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

/** Browsers know some encodings that not every runtime has. */
function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}
