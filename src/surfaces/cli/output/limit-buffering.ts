import type { Writable } from "node:stream";

/** The maximum number of buffered bytes. */
const MAX_BUFFERED = 256 * 1024;

/**
 * Makes a stream buffer only a bounded amount of unread text. It drops the rest, and reports how much once the reader has caught
 * up. Returns the original `write`, for text that must not be dropped.
 */
export function limitBuffering(stream: Writable): (text: string | Uint8Array) => void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
  let isDropping = false;
  let lines = 0;
  let isMidLine = false;
  const pass = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    isMidLine = !endsLine(chunk);
    return write(chunk, ...more);
  };
  stream.on("drain", () => {
    if (!isDropping) return;
    const count = lines > 1 ? `${lines} lines` : "1 line";
    pass(`${isMidLine ? "\n" : ""}[${count} of tool output dropped: stderr is not being read]\n`);
    isDropping = false;
    lines = 0;
  });
  const passOrDrop = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    // A stream emits "drain" only if `write` returned false.
    isDropping ||= stream.writableNeedDrain && stream.writableLength + chunk.length > MAX_BUFFERED;
    if (!isDropping) return pass(chunk, ...more);
    lines += linesIn(chunk);
    const done = more.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  };
  stream.write = passOrDrop as typeof stream.write;
  return (text) => void pass(text);
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === "string" ? chunk.endsWith("\n") : chunk.at(-1) === 10;
}

function linesIn(chunk: string | Uint8Array): number {
  return typeof chunk === "string"
    ? chunk.split("\n").length - 1
    : chunk.reduce((sum, byte) => sum + +(byte === 10), 0);
}
