import type { Content } from "../core/result.ts";
import { fullOutputStore, type OutputOwner } from "./outputs.ts";

/**
 * The line that stands for a picture or a file where it cannot be carried: what it is, and where. What is nowhere yet is
 * written into the folder of outputs.
 */
export function storedAttachment(part: Exclude<Content, { type: "text" }>, folder: string, owner: OutputOwner): string {
  const { data, mimeType, type } = part;
  const name = part.type === "file" && part.name !== undefined ? ` "${part.name}"` : "";
  const size = data === undefined ? "" : `, ${Buffer.byteLength(data, "base64")} bytes`;
  const place = (part.type === "file" ? part.url : undefined) ?? stored(data, mimeType, folder, owner);
  return `[${type}${name}, ${mimeType}${size}: ${place ?? "it could not be stored"}]`;
}

function stored(data: string | undefined, mimeType: string, folder: string, owner: OutputOwner): string | undefined {
  const file =
    data === undefined
      ? undefined
      : fullOutputStore(folder, owner, { extension: `attached.${extensionOf(mimeType)}` }).open();
  file?.write(Buffer.from(data ?? "", "base64"));
  return file?.close();
}

/** `image/svg+xml` is an svg, `image/png` a png; what is not so simple has no name of its own. */
function extensionOf(mimeType: string): string {
  const [, subtype = ""] = /^[a-z]+\/([a-z0-9]{1,8})(?:$|[+;])/.exec(mimeType) ?? [];
  return subtype === "" ? "bin" : subtype === "jpeg" ? "jpg" : subtype;
}
