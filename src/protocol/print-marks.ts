/**
 * What a host prints goes over pipes that all its calls share. Where the call changes, a mark stands between: which call
 * what follows belongs to, 0 for none. It holds a key that each host has for itself, so that what a tool was given and
 * prints is never taken for one.
 */
export function markFor(key: string, call: number): string {
  return `${beginningFor(key)}${call}\0`;
}

const NUMBER = /^\d{1,16}$/;

function beginningFor(key: string): string {
  return `\0call:${key}:`;
}

/** Takes the marks with that key, of letters and digits, out of what comes over such a pipe again. */
export class MarkedReader {
  readonly #tell: (text: string, call: number) => void;
  /** How a mark begins. Not as a part of an expression: what those are compiled to stays for long, and hosts come and go. */
  readonly #begin: string;
  #call = 0;
  /** The beginning of what may become a mark. */
  #held = "";

  constructor(key: string, tell: (text: string, call: number) => void) {
    this.#tell = tell;
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
    if (text !== "") this.#tell(text, this.#call);
  }

  #isBeginning(text: string): boolean {
    if (text.length <= this.#begin.length) return this.#begin.startsWith(text);
    return text.startsWith(this.#begin) && NUMBER.test(text.slice(this.#begin.length));
  }
}
