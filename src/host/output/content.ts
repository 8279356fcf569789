import type { Content } from "../../core/result.ts";
import { defined } from "../../platform/values/defined.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/**
 * Converts one content part or attachment of MCP, OpenCode or Toolwright. Any other value becomes its JSON as text. Throws
 * if reading the value throws.
 */
export function toContent(part: unknown): Content {
  const known = typeof part === "object" && part !== null ? fromFields(part) : undefined;
  return known ?? text(JSON.stringify(part) ?? String(part));
}

/** The fields of all forms. Each is read once, since a getter may return another value the second time. */
interface Fields {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  mime?: unknown;
  url?: unknown;
  uri?: unknown;
  name?: unknown;
  filename?: unknown;
  resource?: unknown;
}

interface Attachment {
  readonly mimeType: string | undefined;
  readonly name: string | undefined;
  readonly data: string | undefined;
  readonly url: string | undefined;
}

function fromFields(part: Fields): Content | undefined {
  const { type, text: value, data, mimeType, mime, url, uri, name, filename, resource } = part;
  if (type === "text") return typeof value === "string" ? text(value) : undefined;
  if (type === "resource")
    return typeof resource === "object" && resource !== null ? fromResource(resource) : undefined;
  const attachment: Attachment = {
    mimeType: nonEmpty(mimeType) ?? nonEmpty(mime),
    name: nonEmpty(name) ?? nonEmpty(filename),
    data: base64(data),
    url: nonEmpty(url) ?? nonEmpty(uri),
  };
  if (type === "image" || type === "audio")
    return attachment.data && attachment.mimeType ? fromAttachment(attachment) : undefined;
  if (type === "resource_link") return fromAttachment(attachment);
  // OpenCode's attachments may lack a type.
  if (type === "file" || (type === undefined && attachment.mimeType)) return fromAttachment(attachment);
  return undefined;
}

/** An embedded text becomes text; other resources become files. */
function fromResource(resource: {
  uri?: unknown;
  mimeType?: unknown;
  text?: unknown;
  blob?: unknown;
}): Content | undefined {
  const { uri, mimeType, text: value, blob } = resource;
  if (typeof value === "string") return text(value);
  return fromAttachment({ mimeType: nonEmpty(mimeType), name: undefined, data: base64(blob), url: nonEmpty(uri) });
}

function fromAttachment(attachment: Attachment): Content | undefined {
  const { mimeType = "application/octet-stream", name, data, url } = withDataUrl(attachment);
  if (data === undefined && url === undefined) return undefined;
  if (data !== undefined && mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  return { type: "file", mimeType, ...defined({ name, data, url }) };
}

/** Replaces a `data:` URL by its data. */
function withDataUrl(attachment: Attachment): Attachment {
  const { url } = attachment;
  if (attachment.data !== undefined || url === undefined || !/^data:/i.test(url)) return attachment;
  const comma = url.indexOf(",");
  if (comma < 0) return { ...attachment, url: undefined };
  const [mimeType, ...parameters] = url.slice("data:".length, comma).split(";");
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === "base64");
  const data = isBase64 ? url.slice(comma + 1) : Buffer.from(percentDecoded(url.slice(comma + 1))).toString("base64");
  return { name: attachment.name, data, url: undefined, mimeType: attachment.mimeType ?? (mimeType || "text/plain") };
}

function percentDecoded(encoded: string): string {
  return tryOrUndefined(() => decodeURIComponent(encoded)) ?? encoded;
}

function text(value: string): Content {
  return { type: "text", text: value.toWellFormed() };
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

function base64(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return nonEmpty(value);
}
