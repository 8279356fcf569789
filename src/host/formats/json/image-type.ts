import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
/** The MIME type of an image that models can read, by its first bytes. */
export function imageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return undefined;
}

/** UTF-8 bytes as text; undefined if they are not valid UTF-8. With `cut`, they may end inside a character. */
export function utf8Of(bytes: Buffer, { cut }: { cut: boolean } = { cut: false }): string | undefined {
  if (bytes.includes(0)) return undefined;
  return tryOrUndefined(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut }));
}
