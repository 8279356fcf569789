import type { LoggingLevel } from "@modelcontextprotocol/server";
import { levelOf } from "./log-levels.ts";

/** What waits to be sent at most; of more, the end is kept. */
const MOST = 30_000;

interface Printed {
  readonly level: LoggingLevel;
  readonly text: string;
  /** The call that printed it, where that is known. */
  readonly call: string | undefined;
}

/**
 * Passes on what tools print, no faster than it is taken: what is printed while a message is on its way goes into the
 * next one. A tool that prints without end can neither flood a client nor fill this process.
 */
export class PrintRelay {
  readonly #send: (level: LoggingLevel, text: string, call: string | undefined) => Promise<void>;
  #waiting: Printed[] = [];
  #isSending = false;

  /** `send` must not reject. */
  constructor(send: (level: LoggingLevel, text: string, call: string | undefined) => Promise<void>) {
    this.#send = send;
  }

  add(text: string, call?: string): void {
    if (text.trim() === "") return;
    const level = levelOf(text);
    const last = this.#waiting.at(-1);
    const goesOn = last?.level === level && last.call === call;
    const all = goesOn ? last.text + text : text;
    this.#waiting.splice(goesOn ? -1 : this.#waiting.length, 1, { level, text: all.slice(-MOST), call });
    while (this.#waiting.length > 1 && sizeOf(this.#waiting) > MOST) this.#waiting.shift();
    if (!this.#isSending) void this.#flush();
  }

  async #flush(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#send(next.level, next.text.trimEnd(), next.call);
    }
    this.#isSending = false;
  }
}

function sizeOf(waiting: readonly Printed[]): number {
  return waiting.reduce((sum, { text }) => sum + text.length, 0);
}
