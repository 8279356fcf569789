import { StringDecoder } from "node:string_decoder";

/** Splits text that arrives in pieces into lines, without their line feeds. The pieces of a long line are joined once. */
export class LineSplitter {
  readonly #decoder = new StringDecoder("utf8");
  #unfinished: string[] = [];

  /** Returns the lines that end in this piece. A character may be split between two pieces of bytes. */
  push(piece: Uint8Array | string): string[] {
    const lines = (typeof piece === "string" ? piece : this.#decoder.write(Buffer.from(piece))).split("\n");
    const rest = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = [...this.#unfinished, lines[0]].join("");
      this.#unfinished = [];
    }
    if (rest !== "") this.#unfinished.push(rest);
    return lines;
  }
}
