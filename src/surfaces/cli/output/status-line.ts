import { firstLine } from "./print.ts";
import type { Output } from "./terminal.ts";
import { cut } from "./text-width.ts";

/** Longer lines are cut where they are not rewritten. */
const MAX_COLUMNS = 500;

/** The current progress: one line that is rewritten on a terminal, one line per change elsewhere. A dumb terminal shows none. */
export class StatusLine {
  readonly #output: Output;
  #shown = "";

  constructor(output: Output) {
    this.#output = output;
  }

  show(text: string): void {
    const line = firstLine(text);
    if (line === "" || line === this.#shown || this.#output.isDumb) return;
    this.#shown = line;
    this.#output.report(
      this.#output.isTTY ? `\r\x1b[K${cut(line, (this.#output.columns ?? 80) - 1)}` : `${cut(line, MAX_COLUMNS)}\n`,
    );
  }

  /** Removes the line, before other output. */
  clear(): void {
    if (this.#shown !== "" && this.#output.isTTY) this.#output.report("\r\x1b[K");
    this.#shown = "";
  }
}
