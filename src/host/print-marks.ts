/**
 * What a host prints goes over pipes that all its calls share. Where the call changes, a mark stands between: which call
 * what follows belongs to, 0 for none.
 */
export function markFor(call: number): string {
  return `${BEGIN}${call}\0`;
}

const BEGIN = "\0call:";
const MARK = /\0call:(\d{1,16})\0/g;
/** A mark is never longer. */
const LONGEST = BEGIN.length + 17;

/** Takes the marks out of what comes over such a pipe again. */
export class MarkedReader {
  readonly #tell: (text: string, call: number) => void;
  #call = 0;
  /** The beginning of what may become a mark. */
  #held = "";

  constructor(tell: (text: string, call: number) => void) {
    this.#tell = tell;
  }

  add(piece: string): void {
    const text = this.#held + piece;
    this.#held = "";
    let from = 0;
    for (const mark of text.matchAll(MARK)) {
      this.#say(text.slice(from, mark.index));
      this.#call = Number(mark[1]);
      from = mark.index + mark[0].length;
    }
    const rest = text.slice(from);
    const begun = rest.lastIndexOf("\0");
    const mayGoOn = begun >= 0 && rest.length - begun < LONGEST && isBeginning(rest.slice(begun));
    if (mayGoOn) this.#held = rest.slice(begun);
    this.#say(mayGoOn ? rest.slice(0, begun) : rest);
  }

  #say(text: string): void {
    if (text !== "") this.#tell(text, this.#call);
  }
}

function isBeginning(text: string): boolean {
  return BEGIN.startsWith(text) || /^\0call:\d*$/.test(text);
}
