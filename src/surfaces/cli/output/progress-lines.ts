import type { Update } from "../../../core/events.ts";
import type { StatusLine } from "./status-line.ts";

/** For this long, output is held back: it is part of the result if the call ends. */
const SLOW_MS = 1_000;
/** After this many lines, at most one line per `SLOW_MS` is printed. */
const MAX_FAST_LINES = 100;

/**
 * Prints the progress of a call: on a terminal at once, on one line; elsewhere one line per change, without output that the
 * result repeats.
 */
export class ProgressLines {
  readonly #status: StatusLine;
  readonly #isTTY: boolean;
  readonly #timer: NodeJS.Timeout | undefined;
  #held: Update[] | undefined;
  #count = 0;
  #printedAt = 0;

  constructor(status: StatusLine, isTTY: boolean) {
    this.#status = status;
    this.#isTTY = isTTY;
    if (isTTY) return;
    this.#held = [];
    this.#timer = setTimeout(() => this.#release([]), SLOW_MS);
  }

  add(update: Update): void {
    if (this.#held && (this.#held.length > 0 || update.metadata)) this.#held.push(update);
    else this.#print(textOf(update));
  }

  end(result: string): void {
    clearTimeout(this.#timer);
    this.#release(result.split("\n").map((line) => line.trim()));
  }

  #release(repeated: readonly string[]): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) {
      this.#print(repeated.includes(lastLine(update)) ? (update.title ?? "") : textOf(update));
    }
  }

  #print(text: string): void {
    const now = performance.now();
    if (!this.#isTTY && this.#count >= MAX_FAST_LINES && now - this.#printedAt < SLOW_MS) return;
    this.#count += 1;
    this.#printedAt = now;
    this.#status.show(text);
  }
}

/** The title, and the last line of the output so far. */
function textOf(update: Update): string {
  return [update.title ?? "", lastLine(update)].filter((text) => text !== "").join(": ");
}

function lastLine({ metadata }: Update): string {
  const output = metadata?.output;
  return typeof output === "string" ? (output.trimEnd().split("\n").at(-1) ?? "").trim() : "";
}
