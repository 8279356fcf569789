const NEWLINE = 10;

/** A line of a stream, or the information that a line was too large. */
export type Line = { readonly kind: "line"; readonly text: string } | { readonly kind: "too large" };

/** Splits bytes into lines. A line of more than `maxBytes` is discarded and reported when it ends. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: Line) => void;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number, onLine: (line: Line) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#end();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #end(): void {
    const [only = Buffer.alloc(0)] = this.#pieces;
    const bytes = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : only;
    const isTooLarge = this.#size > this.#maxBytes;
    this.#pieces = [];
    this.#size = 0;
    this.#onLine(isTooLarge ? { kind: "too large" } : { kind: "line", text: bytes.toString("utf8") });
  }
}
