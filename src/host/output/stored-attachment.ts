import type { Content } from "../../core/result.ts";
import { fullOutputStore, type OutputOwner } from "./outputs.ts";

/**
 * A line of text for an image or a file, for clients that accept only text: its type, size, and URL or path. Data without
 * a URL is stored in `folder`.
 */
export function storedAttachment(part: Exclude<Content, { type: "text" }>, folder: string, owner: OutputOwner): string {
  const { data, mimeType } = part;
  const location = (part.type === "file" ? part.url : undefined) ?? store(data, mimeType, folder, owner);
  return `[${attachmentLabel(part)}: ${location ?? "it could not be stored"}]`;
}

/** What is known of an attachment: its kind, name, type and size. */
export function attachmentLabel(part: Exclude<Content, { type: "text" }>): string {
  const name = part.type === "file" && part.name !== undefined ? ` "${part.name}"` : "";
  const size = part.data === undefined ? "" : `, ${Buffer.byteLength(part.data, "base64")} bytes`;
  return `${part.type}${name}, ${part.mimeType}${size}`;
}

function store(data: string | undefined, mimeType: string, folder: string, owner: OutputOwner): string | undefined {
  const file =
    data === undefined
      ? undefined
      : fullOutputStore(folder, owner, { extension: `attached.${extensionOf(mimeType)}` }).open();
  file?.write(Buffer.from(data ?? "", "base64"));
  return file?.close();
}

/** The extension for a MIME type, such as `svg` for `image/svg+xml`; `bin` for unusual types. */
function extensionOf(mimeType: string): string {
  const [, subtype = ""] = /^[a-z]+\/([a-z0-9]{1,8})(?:$|[+;])/.exec(mimeType) ?? [];
  return subtype === "" ? "bin" : subtype === "jpeg" ? "jpg" : subtype;
}
