import { grown } from "../values/grown.ts";

/** The output of a process. Keeps only the beginning and the end when it is too long. */
export class BoundedOutput {
  readonly #headRoom: number;
  readonly #tailRoom: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #tailBytes = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#headRoom = Math.ceil(maxBytes / 2);
    this.#tailRoom = Math.floor(maxBytes / 2);
  }

  get truncated(): boolean {
    return this.#total > this.#headRoom + this.#tailRoom;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#headRoom - this.#headBytes);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    if (first.length < chunk.length) this.#pushTail(chunk.subarray(first.length));
  }

  /** The output as UTF-8, cut between characters, with a line that says how many bytes are missing. */
  text(): string {
    const tail = this.#tail.subarray(0, this.#tailBytes);
    const head = Buffer.concat(this.#head);
    if (!this.truncated) return Buffer.concat([head, tail]).toString("utf8");
    const end = tail.subarray(Math.max(0, tail.length - this.#tailRoom));
    const [before, after] = [head.subarray(0, wholeEnd(head)), end.subarray(wholeStart(end))];
    const omitted = this.#total - before.length - after.length;
    return `${before.toString("utf8")}\n[${omitted} bytes left out here]\n${after.toString("utf8")}`;
  }

  /** The buffer is twice as large as the kept part, so that each byte is moved about once. */
  #pushTail(chunk: Buffer): void {
    const last = chunk.subarray(Math.max(0, chunk.length - this.#tailRoom));
    if (this.#tailBytes + last.length > 2 * this.#tailRoom) {
      this.#tail.copyWithin(0, this.#tailBytes - this.#tailRoom, this.#tailBytes);
      this.#tailBytes = this.#tailRoom;
    }
    this.#tail = grown(this.#tail, this.#tailBytes + last.length, 2 * this.#tailRoom, Buffer.allocUnsafeSlow);
    this.#tail.set(last, this.#tailBytes);
    this.#tailBytes += last.length;
  }
}

/** The end of the last complete character. */
function wholeEnd(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? start : bytes.length;
}

/** The start of the first complete character. */
function wholeStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
