/**
 * All calls of a host print to the same pipes. A mark in the output names the call of the text after it, 0 for none. The
 * mark holds a key of the host, so that text which a tool prints cannot be taken for a mark.
 */
export function markFor(key: string, call: number): string {
  return `${beginningFor(key)}${call}\0`;
}

const NUMBER = /^\d{1,16}$/;

function beginningFor(key: string): string {
  return `\0call:${key}:`;
}

/** Splits the output of a host at its marks. The key holds letters and digits only. */
export class MarkedReader {
  readonly #onText: (text: string, call: number) => void;
  /** The beginning of a mark. A string: compiled expressions would stay in memory after their host. */
  readonly #begin: string;
  #call = 0;
  /** Text that may be the beginning of a mark. */
  #held = "";

  constructor(key: string, onText: (text: string, call: number) => void) {
    this.#onText = onText;
    this.#begin = beginningFor(key);
  }

  add(piece: string): void {
    const text = this.#held + piece;
    this.#held = "";
    let from = 0;
    for (let at = text.indexOf(this.#begin); at >= 0; at = text.indexOf(this.#begin, at + 1)) {
      const end = text.indexOf("\0", at + this.#begin.length);
      const number = text.slice(at + this.#begin.length, Math.max(end, 0));
      if (!NUMBER.test(number)) continue;
      this.#say(text.slice(from, at));
      this.#call = Number(number);
      from = end + 1;
    }
    const rest = text.slice(from);
    const begun = rest.lastIndexOf("\0");
    const mayGoOn = begun >= 0 && this.#isBeginning(rest.slice(begun));
    if (mayGoOn) this.#held = rest.slice(begun);
    this.#say(mayGoOn ? rest.slice(0, begun) : rest);
  }

  #say(text: string): void {
    if (text !== "") this.#onText(text, this.#call);
  }

  #isBeginning(text: string): boolean {
    if (text.length <= this.#begin.length) return this.#begin.startsWith(text);
    return text.startsWith(this.#begin) && NUMBER.test(text.slice(this.#begin.length));
  }
}
