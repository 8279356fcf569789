const NEWLINE = 10;

/** The limit that decided the cut; "lines" if both give the same position. */
export type CutBy = "lines" | "bytes";

/** A position to cut at, never inside a character. */
interface CutPoint {
  readonly at: number;
  readonly by: CutBy;
}

/** Where the kept head of an output over its limits ends. `first` holds its first `maxBytes + 1` bytes or more. */
export function headEnd(first: Buffer, maxLines: number, maxBytes: number): CutPoint {
  const lines = afterLine(first, maxLines);
  const bytes = characterAtOrBefore(first, maxBytes);
  return lines <= bytes ? { at: lines, by: "lines" } : { at: bytes, by: "bytes" };
}

/** Where the kept tail of an output over its limits begins. `last` holds its last `maxBytes + 1` bytes or more. */
export function tailStart(last: Buffer, maxLines: number, maxBytes: number): CutPoint {
  const lines = startOfLastLines(last, maxLines);
  const bytes = characterAtOrAfter(last, Math.max(0, last.length - maxBytes));
  return lines >= bytes ? { at: lines, by: "lines" } : { at: bytes, by: "bytes" };
}

/** The number of lines. A final newline starts no further line. */
export function countByteLines(bytes: Buffer): number {
  return countNewlines(bytes) + (bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE ? 1 : 0);
}

/** Reads four bytes at a time, which is several times faster than single bytes or, for short lines, `indexOf`. */
export function countNewlines(bytes: Uint8Array): number {
  const aligned = (bytes.byteOffset & 3) === 0;
  const words = new Uint32Array(
    aligned ? bytes.buffer : NO_BYTES,
    aligned ? bytes.byteOffset : 0,
    aligned ? bytes.length >>> 2 : 0,
  );
  let count = 0;
  for (let index = 0; index < words.length; index++) count += newlinesIn(words[index] as number);
  for (let index = words.length * 4; index < bytes.length; index++) if (bytes[index] === NEWLINE) count++;
  return count;
}

const NO_BYTES = new ArrayBuffer(0);

/** Bytes that are newlines become zero, zero bytes become their top bit alone, and a multiplication adds these up. */
function newlinesIn(word: number): number {
  const zeroed = word ^ 0x0a0a0a0a;
  const tops = ~(((zeroed & 0x7f7f7f7f) + 0x7f7f7f7f) | zeroed | 0x7f7f7f7f);
  return tops === 0 ? 0 : Math.imul(tops >>> 7, 0x01010101) >>> 24;
}

function afterLine(bytes: Buffer, count: number): number {
  let at = 0;
  for (let line = 0; line < count; line++) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) return Number.POSITIVE_INFINITY;
    at = newline + 1;
  }
  return at;
}

function startOfLastLines(bytes: Buffer, count: number): number {
  if (count < 1) return bytes.length;
  let end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < count; line++) {
    end = end > 0 ? bytes.lastIndexOf(NEWLINE, end - 1) : -1;
    if (end < 0) return -1;
  }
  return end + 1;
}

function characterAtOrBefore(bytes: Buffer, index: number): number {
  let at = Math.min(index, bytes.length);
  while (at > 0 && isContinuation(bytes[at])) at--;
  return at;
}

function characterAtOrAfter(bytes: Buffer, index: number): number {
  let at = index;
  while (isContinuation(bytes[at])) at++;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
