const NEWLINE = 10;

/** What is read of a stream: a line, or the sign that one was too large to be kept. */
export type Line = { readonly kind: "line"; readonly text: string } | { readonly kind: "too large" };

/** Cuts bytes into lines. Of a line that is larger than `most` nothing is kept, and it is told once it has ended. */
export class LineReader {
  readonly #most: number;
  readonly #tell: (line: Line) => void;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(most: number, tell: (line: Line) => void) {
    this.#most = most;
    this.#tell = tell;
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
    if (this.#size > this.#most) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #end(): void {
    const [only = Buffer.alloc(0)] = this.#pieces;
    const bytes = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : only;
    const isTooLarge = this.#size > this.#most;
    this.#pieces = [];
    this.#size = 0;
    this.#tell(isTooLarge ? { kind: "too large" } : { kind: "line", text: bytes.toString("utf8") });
  }
}
