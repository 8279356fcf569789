import { asShown } from "./as-shown.ts";

/** A line that is longer than this is given on before it ends. */
const LONGEST_LINE = 64 * 1024;

/** How much of what came last is shown with a line that has not ended. */
const LIVE_CHARACTERS = 16_000;

/** Gives on what a command writes, line by line, as a terminal would show it. */
export class ShownOutput {
  readonly #write: (text: string) => void;
  readonly #show: (live: string) => void;
  /** A line that has not ended: what is drawn over it may still come. */
  #open = "";
  #recent = "";
  #last = "";

  /** `show` is for the eye: the end of what there is so far, with a line that is not written yet. */
  constructor(write: (text: string) => void, show: (live: string) => void) {
    this.#write = write;
    this.#show = show;
  }

  push(text: string): void {
    const all = this.#open + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#give(all.slice(0, end));
    this.#open = all.slice(end);
    if (this.#open.length > LONGEST_LINE) this.#shorten();
    if (this.#open !== "") this.#show(this.#recent + asShown(this.#open.toWellFormed()));
  }

  /** What is left of it. Says whether there was anything at all, and whether it ends with a line. */
  end(): { isEmpty: boolean; endsLine: boolean } {
    this.#flush();
    return { isEmpty: this.#last === "", endsLine: this.#last.endsWith("\n") };
  }

  #shorten(): void {
    this.#open = asShown(this.#open);
    if (this.#open.length > LONGEST_LINE) this.#flush();
  }

  #flush(): void {
    this.#give(this.#open);
    this.#open = "";
  }

  #give(text: string): void {
    const shown = asShown(text.toWellFormed());
    if (shown === "") return;
    this.#last = shown.slice(-1);
    this.#recent = (this.#recent + shown).slice(-LIVE_CHARACTERS);
    this.#write(shown);
  }
}
