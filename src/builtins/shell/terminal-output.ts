/** A longer line is written before it ends. */
const MAX_LINE = 64 * 1024;

/** How much of the last output is shown live. */
const LIVE_CHARACTERS = 16_000;

/** Passes on the output of a command line by line, as a terminal would show it. */
export class TerminalOutput {
  readonly #write: (text: string) => void;
  readonly #show: (live: string) => void;
  /** The last line while it has not ended: carriage returns may still overwrite it. */
  #unfinished = "";
  #recent = "";
  #last = "";

  /** `show` receives the end of the output so far, with the line that is not written yet. */
  constructor(write: (text: string) => void, show: (live: string) => void) {
    this.#write = write;
    this.#show = show;
  }

  push(text: string): void {
    const all = this.#unfinished + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#emit(all.slice(0, end));
    this.#unfinished = all.slice(end);
    if (this.#unfinished.length > MAX_LINE) this.#shorten();
    if (this.#unfinished !== "") this.#show(this.#recent + visibleText(this.#unfinished.toWellFormed()));
  }

  /** Writes the rest. Returns whether there was no output at all, and whether it ended with a line break. */
  end(): { isEmpty: boolean; endsLine: boolean } {
    this.#flush();
    return { isEmpty: this.#last === "", endsLine: this.#last.endsWith("\n") };
  }

  #shorten(): void {
    this.#unfinished = visibleText(this.#unfinished);
    if (this.#unfinished.length > MAX_LINE) this.#flush();
  }

  #flush(): void {
    this.#emit(this.#unfinished);
    this.#unfinished = "";
  }

  #emit(text: string): void {
    const visible = visibleText(text.toWellFormed());
    if (visible === "") return;
    this.#last = visible.slice(-1);
    this.#recent = (this.#recent + visible).slice(-LIVE_CHARACTERS);
    this.#write(visible);
  }
}

/**
 * The text that a terminal would show: without escape sequences, and only the last state of a line that carriage returns
 * overwrite, such as a progress bar.
 */
export function visibleText(written: string): string {
  const plain = written.includes("\x1b") ? written.replace(ESCAPE_SEQUENCE, "") : written;
  return plain.includes("\r") ? plain.split("\n").map(lastState).join("\n") : plain;
}

/**
 * Control sequences, strings for the terminal (a title, a link), sequences that are cut off, and short sequences. None goes
 * beyond the next escape and the alternatives exclude each other, so that one pass is enough.
 */
const ESCAPE_SEQUENCE =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[PX^_][^\x1b\n]*\x1b\\|\[?[0-?]*$|[ -/]*[0-~])/g;

/** Carriage returns at the end of a line overwrite nothing. */
function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return end === 0 ? line : line.slice(line.lastIndexOf("\r", end - 1) + 1);
}
