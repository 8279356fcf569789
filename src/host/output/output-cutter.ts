import { StringDecoder } from "node:string_decoder";
import type { Truncated } from "../../core/result.ts";
import type { Keep } from "../../core/tool.ts";
import { FirstBytes, LastBytes } from "./byte-windows.ts";
import type { CutBy } from "./cut-points.ts";
import { countByteLines, countNewlines, headEnd, tailStart } from "./cut-points.ts";

/** How much of an output is kept, and which end. The notice does not count. */
export interface OutputLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly keep: Keep;
}

/** An output within its limits. `truncated` is absent when nothing was cut. */
export interface Cut {
  readonly text: string;
  readonly truncated?: Truncated;
}

/** A file that receives the full output. Neither method throws. */
export interface FullOutputFile {
  /** The chunk is valid only during the call. */
  write(chunk: Uint8Array): void;
  /** The path of the file if it holds the full output; otherwise the file has been deleted. */
  close(): string | undefined;
}

/** Stores the full output once it exceeds its limits. `open` must not throw. */
export interface FullOutputStore {
  open(): FullOutputFile | undefined;
}

const CHUNK = 64 * 1024;
const NEWLINE = 10;

/**
 * Cuts an output while it arrives, with the same result as `truncate`. The limits bound its memory. Once they are exceeded,
 * the full output goes to the store.
 */
export class OutputCutter {
  readonly #limits: OutputLimits;
  readonly #store: FullOutputStore;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new StringDecoder("utf8");
  readonly #head: { readonly lines: number; readonly bytes: number };
  readonly #tail: { readonly lines: number; readonly bytes: number };
  readonly #first: FirstBytes;
  readonly #last: LastBytes | undefined;
  #scratch: Uint8Array | undefined;
  /** The first half of a surrogate pair whose second half may be in the next chunk. */
  #half = "";
  #bytes = 0;
  #newlines = 0;
  #lineIsOpen = false;
  #over = false;
  #file: FullOutputFile | undefined;
  #result: Cut | undefined;

  constructor(limits: OutputLimits, store: FullOutputStore) {
    const { maxLines, maxBytes, keep } = limits;
    this.#limits = limits;
    this.#store = store;
    this.#head = {
      head: { lines: maxLines, bytes: maxBytes },
      tail: { lines: 0, bytes: 0 },
      both: { lines: Math.ceil(maxLines / 2), bytes: Math.ceil(maxBytes / 2) },
    }[keep];
    this.#tail = { lines: maxLines - this.#head.lines, bytes: maxBytes - this.#head.bytes };
    // One byte more than is kept, to detect whether a cut would split a character or is at the end of a line.
    this.#first = new FirstBytes(maxBytes + 1);
    if (keep !== "head") this.#last = new LastBytes(this.#tail.bytes + 1);
  }

  /** Bytes are UTF-8 and may end inside a character. Chunks after `end` are ignored. */
  push(chunk: string | Uint8Array): void {
    if (this.#result) return;
    if (typeof chunk === "string") this.#pushText(this.#decoder.end() + chunk);
    else this.#pushBytes(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  /** Closes the store. Later calls return the same result. */
  end(): Cut {
    this.#result ??= this.#finish();
    return this.#result;
  }

  #pushBytes(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += CHUNK)
      this.#pushText(this.#decoder.write(chunk.subarray(at, at + CHUNK)));
  }

  #pushText(chunk: string): void {
    const text = this.#half + chunk;
    this.#half = endsInsidePair(text) ? text.slice(-1) : "";
    this.#encode(this.#half ? text.slice(0, -1) : text);
  }

  #encode(text: string): void {
    this.#scratch ??= new Uint8Array(CHUNK);
    for (let at = 0; at < text.length; ) {
      // A slice may end inside a surrogate pair. Its last unit is not encoded now: the units before it leave no room for 3 bytes.
      const { read, written } = this.#encoder.encodeInto(text.slice(at, at + CHUNK), this.#scratch);
      this.#feed(this.#scratch.subarray(0, written));
      at += read;
    }
  }

  #feed(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#newlines += countNewlines(bytes);
    this.#lineIsOpen = bytes[bytes.length - 1] !== NEWLINE;
    if (!this.#over && this.#isOver()) this.#startFullOutput();
    this.#file?.write(bytes);
    if (!this.#over || this.#limits.keep !== "tail") this.#first.append(bytes);
    this.#last?.append(bytes);
  }

  #isOver(): boolean {
    return this.#bytes > this.#limits.maxBytes || this.#lines() > this.#limits.maxLines;
  }

  #lines(): number {
    return this.#newlines + (this.#lineIsOpen ? 1 : 0);
  }

  /** Before the limits were exceeded, the first bytes were all bytes. */
  #startFullOutput(): void {
    this.#over = true;
    this.#file = this.#store.open();
    this.#file?.write(this.#first.bytes());
  }

  #finish(): Cut {
    const rest = this.#half + this.#decoder.end();
    this.#half = "";
    this.#encode(rest);
    if (!this.#over) return { text: this.#first.bytes().toString("utf8") };
    return this.#cut(this.#file?.close());
  }

  #cut(fullOutput: string | undefined): Cut {
    const first = this.#first.bytes();
    const last = this.#last?.bytes() ?? Buffer.alloc(0);
    const end = headEnd(first, this.#head.lines, this.#head.bytes);
    const start = tailStart(last, this.#tail.lines, this.#tail.bytes);
    const head = first.subarray(0, end.at);
    const tail = last.subarray(start.at);
    const truncated: Truncated = {
      keptBytes: head.length + tail.length,
      totalBytes: this.#bytes,
      // One line with its middle cut out is counted at both ends.
      omittedLines: Math.max(0, this.#lines() - countByteLines(head) - countByteLines(tail)),
      ...(fullOutput === undefined ? {} : { fullOutput }),
    };
    const by = end.by === "bytes" || start.by === "bytes" ? "bytes" : "lines";
    return {
      text: withNotice([head.toString("utf8"), tail.toString("utf8")], truncated, by, this.#limits.keep),
      truncated,
    };
  }
}

function withNotice([head, tail]: readonly [string, string], truncated: Truncated, by: CutBy, keep: Keep): string {
  const omitted =
    by === "lines"
      ? `${truncated.omittedLines} lines omitted`
      : `${truncated.totalBytes - truncated.keptBytes} bytes omitted`;
  const middle = keep === "both" ? `[... ${omitted} here ...]\n` : "";
  const where = truncated.fullOutput === undefined ? "" : `; full output: ${truncated.fullOutput}`;
  return `${asLines(head)}${middle}${asLines(tail)}[truncated: ${omitted}${where}]`;
}

function asLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function endsInsidePair(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}
