import { decode, type Encoding, encode, encodingOf, UTF8 } from "../../platform/text/encoding.ts";
import { type LineBreak, usualBreak, withBreaks } from "../../platform/text/line-breaks.ts";

interface EncodedContent {
  readonly bytes: Buffer;
  /** Sentences for the model about encoding and line endings. */
  readonly notes: readonly string[];
}

/**
 * Encodes new content like the old. A model sees neither the encoding nor the line endings of a file, so both are kept,
 * unless the content has carriage returns, a byte order mark, or characters that the encoding lacks.
 */
export function encodeLike(old: Buffer | undefined, content: string): EncodedContent {
  const was = old && old.length > 0 ? encodingOf(old, { cut: true }) : undefined;
  const encoding = withMark(was ?? UTF8, content);
  const kind = was && old && !content.includes("\r") ? usualBreak(decode(old, was)) : "\n";
  const text = content.replace(/^\uFEFF/, "");
  const broken = kind === "\n" ? text : withBreaks(text, kind);
  const bytes = encode(broken, encoding);
  const notes = broken === text ? [] : [`Its line endings are still ${NAMES[kind]}.`];
  if (!bytes)
    return {
      bytes: Buffer.from(broken),
      notes: [...notes, "It is UTF-8 now: its former encoding, Windows-1252, lacks some of the characters."],
    };
  return { bytes, notes: [...notes, ...encodingNote(encoding)] };
}

const NAMES: Record<LineBreak, string> = { "\n": "LF", "\r\n": "CRLF", "\r": "CR" };

function withMark(encoding: Encoding, content: string): Encoding {
  return content.startsWith("\uFEFF") && encoding.name !== "windows-1252" ? { ...encoding, bom: true } : encoding;
}

function encodingNote({ name, bom }: Encoding): string[] {
  if (name === "utf-8") return bom ? ["It still begins with a byte order mark."] : [];
  return [`Its encoding is still ${name === "windows-1252" ? "Windows-1252" : name.toUpperCase()}.`];
}
