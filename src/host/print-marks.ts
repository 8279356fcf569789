/**
 * What a host prints goes over pipes that all its calls share. Where the call changes, a mark stands between: which call
 * what follows belongs to, 0 for none. It holds a key that each host has for itself, so that what a tool was given and
 * prints is never taken for one.
 */
export function markFor(key: string, call: number): string {
  return `${beginningFor(key)}${call}\0`;
}

/** Digits that the number of a call may have. */
const DIGITS = 16;

function beginningFor(key: string): string {
  return `\0call:${key}:`;
}

/** Takes the marks with that key, of letters and digits, out of what comes over such a pipe again. */
export class MarkedReader {
  readonly #tell: (text: string, call: number) => void;
  readonly #begin: string;
  readonly #mark: RegExp;
  #call = 0;
  /** The beginning of what may become a mark. */
  #held = "";

  constructor(key: string, tell: (text: string, call: number) => void) {
    this.#tell = tell;
    this.#begin = beginningFor(key);
    this.#mark = new RegExp(`${this.#begin}(\\d{1,${DIGITS}})\0`, "g");
  }

  add(piece: string): void {
    const text = this.#held + piece;
    this.#held = "";
    let from = 0;
    for (const mark of text.matchAll(this.#mark)) {
      this.#say(text.slice(from, mark.index));
      this.#call = Number(mark[1]);
      from = mark.index + mark[0].length;
    }
    const rest = text.slice(from);
    const begun = rest.lastIndexOf("\0");
    const mayGoOn = begun >= 0 && this.#isBeginning(rest.slice(begun));
    if (mayGoOn) this.#held = rest.slice(begun);
    this.#say(mayGoOn ? rest.slice(0, begun) : rest);
  }

  #say(text: string): void {
    if (text !== "") this.#tell(text, this.#call);
  }

  #isBeginning(text: string): boolean {
    if (text.length <= this.#begin.length) return this.#begin.startsWith(text);
    const number = text.slice(this.#begin.length);
    return text.startsWith(this.#begin) && number.length <= DIGITS && /^\d+$/.test(number);
  }
}
