import { readSync } from "node:fs";
import type { Breather } from "./breather.ts";
import type { LinePattern } from "./line-pattern.ts";
import { cutLine, type LineMatch } from "./match.ts";

/** What is searched for. */
export interface Query {
  readonly pattern: LinePattern;
  /** Longer lines are cut. */
  readonly lineLength: number;
}

/**
 * The first lines of an open file that match, at most so many. A file with a NUL byte in it is binary, and UTF-16 is known
 * by its mark. All other bytes are UTF-8.
 */
export async function searchFile(
  descriptor: number,
  query: Query,
  most: number,
  breather: Breather,
): Promise<LineMatch[] | "binary"> {
  const found: LineMatch[] = [];
  let linesBefore = 0;
  for (const { text, isLast } of wholeLines(descriptor)) {
    if (text.includes("\0")) return "binary";
    searchText(text, query, linesBefore, most, found);
    if (found.length >= most) return found;
    if (!isLast) linesBefore += countLines(text, 0, text.length);
    if (breather.isDue) await breather.rest();
  }
  return found;
}

/** Adds the lines that match to those that are found. */
function searchText(text: string, query: Query, linesBefore: number, most: number, found: LineMatch[]): void {
  let line = linesBefore + 1;
  let counted = 0;
  for (let from = 0; from < text.length && found.length < most; ) {
    const at = query.pattern.find(text, from);
    // At the very end there is no line, nor, to ripgrep, the end of one.
    if (at < 0 || at >= text.length) return;
    const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
    const end = text.indexOf("\n", at);
    const whole = text.slice(start, end < 0 ? text.length : end);
    line += countLines(text, counted, start);
    counted = start;
    const column = Buffer.byteLength(text.slice(start, at)) + 1;
    found.push({ line, column, ...cutLine(whole, query.lineLength) });
    from = end < 0 ? text.length : end + 1;
  }
}

const FIRST = 64 * 1024;
const CHUNK = 1024 * 1024;
/** A line that is longer is searched in pieces of this size, so that memory is bounded. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** The text of a file in pieces that end with a line. Ends at once with a NUL where the bytes are no text. */
function* wholeLines(descriptor: number): Generator<{ text: string; isLast: boolean }> {
  const first = readChunk(descriptor, FIRST);
  const encoding = encodingOf(first);
  if (encoding === "utf-8" && first.includes(0)) return yield { text: "\0", isLast: true };
  const decoder = new TextDecoder(encoding);
  let parts: string[] = [];
  let length = 0;
  for (let bytes = first; bytes.length > 0; bytes = readChunk(descriptor, CHUNK)) {
    const text = decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    length += text.length;
    if (end === 0 && length < LONGEST_LINE) {
      parts.push(text);
      continue;
    }
    const cut = end || text.length;
    yield { text: parts.join("") + text.slice(0, cut), isLast: false };
    parts = [text.slice(cut)];
    length = text.length - cut;
  }
  yield { text: parts.join("") + decoder.decode(), isLast: true };
}

function readChunk(descriptor: number, size: number): Buffer {
  const chunk = Buffer.allocUnsafe(size);
  return chunk.subarray(0, readSync(descriptor, chunk));
}

function encodingOf(bytes: Buffer): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
