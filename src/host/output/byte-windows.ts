import { grown } from "../../platform/values/grown.ts";

/** The first bytes of a stream, at most `capacity` of them; takes no more memory than has arrived. */
export class FirstBytes {
  readonly #capacity: number;
  #buffer: Buffer = Buffer.alloc(0);
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(bytes: Uint8Array): void {
    const taken = bytes.subarray(0, this.#capacity - this.#used);
    this.#buffer = grown(this.#buffer, this.#used + taken.length, this.#capacity, Buffer.allocUnsafeSlow);
    this.#buffer.set(taken, this.#used);
    this.#used += taken.length;
  }

  /** A view: valid until the next `append`. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#used);
  }
}

/** The last bytes of a stream, at most `capacity` of them; takes at most twice that memory. */
export class LastBytes {
  readonly #capacity: number;
  #buffer: Buffer = Buffer.alloc(0);
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(bytes: Uint8Array): void {
    const taken = bytes.subarray(Math.max(0, bytes.length - this.#capacity));
    if (this.#used + taken.length > this.#capacity * 2) this.#compact();
    this.#buffer = grown(this.#buffer, this.#used + taken.length, this.#capacity * 2, Buffer.allocUnsafeSlow);
    this.#buffer.set(taken, this.#used);
    this.#used += taken.length;
  }

  /** A view: valid until the next `append`. */
  bytes(): Buffer {
    return this.#buffer.subarray(Math.max(0, this.#used - this.#capacity), this.#used);
  }

  #compact(): void {
    this.#buffer.copyWithin(0, this.#used - this.#capacity, this.#used);
    this.#used = this.#capacity;
  }
}
