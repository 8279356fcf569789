import type { LoggingLevel } from "@modelcontextprotocol/server";
import { logLevelOf } from "./log-levels.ts";

/** The limit of buffered text, in characters. Beyond it the start is dropped. */
const MAX_BUFFERED = 30_000;

interface Printed {
  readonly level: LoggingLevel;
  readonly text: string;
  /** Undefined if the text cannot be attributed to a call. */
  readonly callID: string | undefined;
}

/**
 * Sends the output of tools as fast as the client takes it: output during a send is joined into the next message. Endless
 * output can neither flood the client nor fill memory.
 */
export class PrintRelay {
  readonly #send: (level: LoggingLevel, text: string, callID: string | undefined) => Promise<void>;
  #waiting: Printed[] = [];
  #isSending = false;

  /** `send` must not reject. */
  constructor(send: (level: LoggingLevel, text: string, callID: string | undefined) => Promise<void>) {
    this.#send = send;
  }

  add(text: string, callID?: string): void {
    if (text.trim() === "") return;
    const level = logLevelOf(text);
    const last = this.#waiting.at(-1);
    const isContinued = last?.level === level && last.callID === callID;
    const all = isContinued ? last.text + text : text;
    this.#waiting.splice(isContinued ? -1 : this.#waiting.length, 1, { level, text: all.slice(-MAX_BUFFERED), callID });
    while (this.#waiting.length > 1 && sizeOf(this.#waiting) > MAX_BUFFERED) this.#waiting.shift();
    if (!this.#isSending) void this.#flush();
  }

  async #flush(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#send(next.level, next.text.trimEnd(), next.callID);
    }
    this.#isSending = false;
  }
}

function sizeOf(waiting: readonly Printed[]): number {
  return waiting.reduce((sum, { text }) => sum + text.length, 0);
}
