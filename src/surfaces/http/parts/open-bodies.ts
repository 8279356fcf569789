import { grown } from "../../../platform/values/grown.ts";

/** The part of a body that does not count: a small body is received however many others are. */
const FREE_BYTES = 64 * 1024;

/** The bodies that a server is receiving. Together they are limited: if they become too large, those that began first are refused. */
export class OpenBodies {
  readonly #maxBytes: number;
  /** The large ones, in the order in which they began to be. */
  readonly #large = new Set<OpenBody>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** To be called after each change of the size of a body; 0 when it is received. */
  resized(body: OpenBody, before: number, after: number): void {
    this.#bytes += counted(after) - counted(before);
    if (counted(after) === 0) this.#large.delete(body);
    else this.#large.add(body);
    for (const oldest of this.#large) {
      if (this.#bytes <= this.#maxBytes) return;
      oldest.refuse();
    }
  }
}

function counted(bytes: number): number {
  return Math.max(0, bytes - FREE_BYTES);
}

/** A body that is being received, in one buffer: thousands of small chunks would need many times their size. */
export class OpenBody {
  readonly #bodies: OpenBodies;
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  #buffer: Buffer = EMPTY;
  #size = 0;
  #isOpen = true;

  /** `maxBytes` is its limit, which the caller checks. `onRefused` is called if the body must make room for others. */
  constructor(bodies: OpenBodies, maxBytes: number, onRefused: () => void) {
    this.#bodies = bodies;
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
  }

  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    if (!this.#isOpen) return;
    const before = this.#buffer;
    const needed = this.#size + chunk.length;
    this.#buffer = grown(before, needed, Math.max(needed, this.#maxBytes), (length) => Buffer.allocUnsafeSlow(length));
    chunk.copy(this.#buffer, this.#size);
    this.#size = needed;
    if (this.#buffer === before) return;
    this.#bodies.resized(this, before.length, this.#buffer.length);
    free(before);
  }

  refuse(): void {
    this.discard();
    this.#onRefused();
  }

  /** Closes it, and frees its memory at once. */
  discard(): void {
    free(this.close());
  }

  /** Returns what was received. Does nothing if the body is closed already. */
  close(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#size);
    this.#isOpen = false;
    const before = this.#buffer.length;
    this.#buffer = EMPTY;
    this.#size = 0;
    this.#bodies.resized(this, before, 0);
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);

/** The memory of large buffers would otherwise grow until the next garbage collection. No other buffer may share it. */
function free({ buffer }: Buffer): void {
  if (buffer !== EMPTY.buffer) (buffer as ArrayBuffer).transfer(0);
}
