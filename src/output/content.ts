import type { Content } from "../core/result.ts";

/**
 * One part of a result, or one attachment, in the forms of MCP, OpenCode and our own. What is none of them becomes
 * its JSON as text. Throws what reading an untrusted value throws.
 */
export function toContent(part: unknown): Content {
  const known = typeof part === "object" && part !== null ? fromFields(part) : undefined;
  return known ?? text(JSON.stringify(part) ?? String(part));
}

/** Every field that the forms use. Read once, for a getter may answer differently the second time. */
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

interface Holder {
  readonly mimeType: string | undefined;
  readonly name: string | undefined;
  readonly data: string | undefined;
  readonly url: string | undefined;
}

function fromFields(part: Fields): Content | undefined {
  const { type, text: words, data, mimeType, mime, url, uri, name, filename, resource } = part;
  if (type === "text") return typeof words === "string" ? text(words) : undefined;
  if (type === "resource")
    return typeof resource === "object" && resource !== null ? fromResource(resource) : undefined;
  const holder: Holder = {
    mimeType: word(mimeType) ?? word(mime),
    name: word(name) ?? word(filename),
    data: base64(data),
    url: word(url) ?? word(uri),
  };
  if (type === "image" || type === "audio") return holder.data && holder.mimeType ? fromHolder(holder) : undefined;
  if (type === "resource_link") return fromHolder(holder);
  // OpenCode's attachments may go without their type.
  if (type === "file" || (type === undefined && holder.mimeType)) return fromHolder(holder);
  return undefined;
}

/** An embedded text is there to be read, so it becomes text; the rest is a file. */
function fromResource(resource: {
  uri?: unknown;
  mimeType?: unknown;
  text?: unknown;
  blob?: unknown;
}): Content | undefined {
  const { uri, mimeType, text: words, blob } = resource;
  if (typeof words === "string") return text(words);
  return fromHolder({ mimeType: word(mimeType), name: undefined, data: base64(blob), url: word(uri) });
}

function fromHolder(holder: Holder): Content | undefined {
  const { mimeType = "application/octet-stream", name, data, url } = opened(holder);
  if (data === undefined && url === undefined) return undefined;
  if (data !== undefined && mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  return {
    type: "file",
    mimeType,
    ...(name === undefined ? {} : { name }),
    ...(data === undefined ? {} : { data }),
    ...(url === undefined ? {} : { url }),
  };
}

/** A `data:` address is what it holds, not a place. */
function opened(holder: Holder): Holder {
  const { url } = holder;
  if (holder.data !== undefined || url === undefined || !/^data:/i.test(url)) return holder;
  const comma = url.indexOf(",");
  if (comma < 0) return { ...holder, url: undefined };
  const [mimeType, ...parameters] = url.slice("data:".length, comma).split(";");
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === "base64");
  const data = isBase64 ? url.slice(comma + 1) : Buffer.from(percentDecoded(url.slice(comma + 1))).toString("base64");
  return { name: holder.name, data, url: undefined, mimeType: holder.mimeType ?? (mimeType || "text/plain") };
}

function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function text(words: string): Content {
  return { type: "text", text: words.toWellFormed() };
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

function base64(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return word(value);
}
