import type { FileHandle } from "node:fs/promises";

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

/** A line of a file, without its line break. */
interface FoundLine {
  /** The offset of its first byte. */
  readonly start: number;
  readonly text: string;
}

/**
 * The lines of a file before an offset, the last one first. Reads chunks from the end, and holds at most one line in memory.
 * Lines of more than `maxBytes` are left out.
 */
export async function* linesBackwards(file: FileHandle, end: number, maxBytes: number): AsyncGenerator<FoundLine> {
  /** The part of the current line that has been read, in order. */
  let rest: Buffer[] = [];
  let length = 0;
  let position = end;
  const take = (start: number): FoundLine | undefined => {
    const line = length > 0 && length <= maxBytes ? { start, text: Buffer.concat(rest).toString("utf8") } : undefined;
    rest = [];
    length = 0;
    return line;
  };
  const prepend = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) rest.unshift(part);
    else rest = [];
  };
  while (position > 0) {
    const start = Math.max(0, position - CHUNK);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(position - start), 0, position - start, start);
    // The file has become shorter.
    if (bytesRead < position - start) return;
    let until = buffer.length;
    for (let at = buffer.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : buffer.lastIndexOf(NEWLINE, at - 1)) {
      prepend(buffer.subarray(at + 1, until));
      const line = take(start + at + 1);
      if (line) yield line;
      until = at;
    }
    prepend(buffer.subarray(0, until));
    position = start;
  }
  const first = take(0);
  if (first) yield first;
}
