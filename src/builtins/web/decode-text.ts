import sniff from "html-encoding-sniffer";

/** A text as it came, and what was said about it. */
export interface EncodedText {
  readonly bytes: Uint8Array;
  /** The media type, without parameters. */
  readonly type: string;
  /** The label that came with it. */
  readonly charset: string | undefined;
  /** Whether it may end within a character. */
  readonly isCut: boolean;
}

/** Decodes as browsers do: a byte order mark counts before the label, the label before what the text says of itself. */
export function decodeText({ bytes, type, charset, isCut }: EncodedText): string {
  const encoding = sniff(bytes, {
    xml: /[/+]xml$/.test(type),
    ...(charset ? { transportLayerEncodingLabel: charset } : {}),
    defaultEncoding: isUtf8(bytes, isCut) ? "UTF-8" : "windows-1252",
  });
  // A stream may end within a character, and that is not shown.
  return decoderFor(encoding).decode(bytes, { stream: isCut });
}

/** Whether bytes are UTF-8. Where they were cut, part of a character at their end is forgiven. */
export function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

/** A few names are known to browsers and not to every runtime. */
function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}
