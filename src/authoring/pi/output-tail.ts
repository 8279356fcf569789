import { StringDecoder } from "node:string_decoder";
import { DEFAULT_MAX_BYTES, type TruncationResult, truncateTail } from "./truncate-text.ts";

/** More than `truncateTail` keeps, so that the cut is the same as that of the whole output. */
const KEPT_CHARACTERS = 2 * DEFAULT_MAX_BYTES;

/** The end of an output that arrives in pieces. A character may be split between two pieces. */
export class OutputTail {
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  #bytes = 0;
  #breaks = 0;

  push(data: Uint8Array | string): void {
    this.#add(typeof data === "string" ? this.#decoder.end() + data : this.#decoder.write(Buffer.from(data)));
  }

  /** The last characters: enough for what is shown while the command runs. */
  get shown(): string {
    return truncateTail(this.#text).content;
  }

  /** What `truncateTail` returns for the whole output. To be called once, at its end. */
  end(): TruncationResult {
    this.#add(this.#decoder.end());
    const truncation = truncateTail(this.#text);
    if (!truncation.truncated) return truncation;
    return { ...truncation, totalBytes: this.#bytes, totalLines: this.#breaks + Number(!this.#text.endsWith("\n")) };
  }

  #add(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#breaks += 1;
    this.#text += text;
    // Only now and then, so that each character is moved about once.
    if (this.#text.length > 4 * KEPT_CHARACTERS) this.#text = this.#text.slice(-KEPT_CHARACTERS);
  }
}
