interface WindowOptions {
  /** The first line, counted from 1. */
  readonly first: number;
  readonly maxLines: number;
  /** Longer lines are cut. */
  readonly maxCharacters: number;
  /** The limit for all lines together, as shown. */
  readonly maxBytes: number;
  show(number: number, text: string): string;
}

/**
 * Selects lines of a text that arrives in chunks, in bounded memory. Lines end with a line feed, a carriage return, or
 * both.
 */
export class LineWindow {
  readonly lines: string[] = [];
  /** The line breaks after the selected lines. The last line of a file may have none. */
  readonly breaks: string[] = [];
  /** The number of lines so far, including an unfinished one. */
  seen = 0;
  /** The number of selected lines that were cut. */
  cut = 0;
  #options: WindowOptions;
  #bytes = 0;
  #isFull = false;
  #line = "";
  #isOpen = false;
  #isCut = false;
  #hasReturn = false;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Whether all lines are selected and it is known that more follow. */
  get isDone(): boolean {
    return this.#isFull && this.seen >= this.next;
  }

  /** The line number after the last selected line. */
  get next(): number {
    return this.#options.first + this.lines.length;
  }

  get maxCharacters(): number {
    return this.#options.maxCharacters;
  }

  push(piece: string): void {
    const text = this.#hasReturn ? `\r${piece}` : piece;
    // A carriage return at the end may be the first half of a line break.
    this.#hasReturn = text.endsWith("\r");
    const end = this.#hasReturn ? text.length - 1 : text.length;
    const next = text.slice(0, end).includes("\r") ? anyBreak : lineFeed;
    let start = 0;
    while (start < end) {
      const [at, length] = next(text, start, end);
      this.#extend(text, start, at);
      if (length === 0) return;
      this.#close(text.slice(at, at + length));
      start = at + length;
    }
  }

  end(): void {
    if (this.#hasReturn) {
      this.#open();
      this.#close("\r");
    } else if (this.#isOpen) this.#close("");
  }

  get #isWanted(): boolean {
    return !this.#isFull && this.seen >= this.#options.first;
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.seen += 1;
  }

  #extend(text: string, start: number, end: number): void {
    this.#open();
    if (!this.#isWanted) return;
    const room = this.#options.maxCharacters - this.#line.length;
    this.#line += text.slice(start, Math.min(end, start + room));
    if (end - start > room) this.#isCut = true;
  }

  #close(lineBreak: string): void {
    if (this.#isWanted) this.#take(this.#isCut ? `${whole(this.#line)}${CUT}` : this.#line, lineBreak);
    this.#line = "";
    this.#isOpen = false;
    this.#isCut = false;
  }

  #take(text: string, lineBreak: string): void {
    const { show, maxBytes, maxLines } = this.#options;
    const shown = show(this.seen, text);
    const bytes = Buffer.byteLength(shown) + Math.max(1, lineBreak.length);
    if (this.#bytes + bytes > maxBytes && this.lines.length > 0) {
      this.#isFull = true;
      return;
    }
    this.lines.push(shown);
    this.breaks.push(lineBreak);
    this.#bytes += bytes;
    if (this.#isCut) this.cut += 1;
    this.#isFull = this.lines.length >= maxLines;
  }
}

/** Marks the end of a line that was cut. */
const CUT = " … [line cut]";

/** The position and length of the next line break; length 0 when there is none before the end. */
type NextBreak = (text: string, start: number, end: number) => readonly [at: number, length: number];

/** Ten times as fast as `anyBreak`. */
const lineFeed: NextBreak = (text, start, end) => {
  const at = text.indexOf("\n", start);
  return at < 0 || at >= end ? [end, 0] : [at, 1];
};

const anyBreak: NextBreak = (text, start, end) => {
  const found = BREAK.exec(text.slice(start, end));
  return found ? [start + found.index, found[0].length] : [end, 0];
};

const BREAK = /\r\n|\n|\r/;

/** Removes an unpaired surrogate at the end. */
function whole(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
