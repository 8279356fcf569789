import sniff from "html-encoding-sniffer";

export interface EncodedText {
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
export function decodeText({ bytes, type, charset, isCut }: EncodedText): string {
  const encoding = sniff(bytes, {
    xml: /[/+]xml$/.test(type),
    ...(charset ? { transportLayerEncodingLabel: charset } : {}),
    defaultEncoding: isUtf8(bytes, isCut) ? "UTF-8" : "windows-1252",
  });
  // With `stream`, an incomplete character at the end is dropped.
  return decoderFor(encoding).decode(bytes, { stream: isCut });
}

/** With `isCut`, an incomplete character at the end is accepted. */
export function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
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
