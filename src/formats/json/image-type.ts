/** The type of a picture that models can look at, by how its file begins. */
export function imageType(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return undefined;
}

/** Bytes as text in UTF-8; undefined when they are none. A piece that was cut off may end within a character. */
export function utf8Of(bytes: Buffer, { cut }: { cut: boolean } = { cut: false }): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}
