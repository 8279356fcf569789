import type { ServerResponse } from "node:http";

/** How often it is looked, within the time that is given. */
const LOOKS = 5;

/**
 * Ends answers that nobody reads: what is kept for them would stay for as long as the other side likes. How much of a
 * piece has been read cannot be seen, only whether all of it has.
 */
export class SlowReaders {
  readonly #open = new Set<ServerResponse>();
  readonly #stalledSince = new Map<ServerResponse, number>();
  readonly #looking: NodeJS.Timeout;

  constructor(mostMs: number) {
    this.#looking = setInterval(() => this.#look(mostMs), mostMs / LOOKS).unref();
  }

  watch(outgoing: ServerResponse): void {
    this.#open.add(outgoing);
    outgoing.on("drain", () => this.#stalledSince.delete(outgoing));
    outgoing.once("close", () => {
      this.#open.delete(outgoing);
      this.#stalledSince.delete(outgoing);
    });
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  #look(mostMs: number): void {
    const now = performance.now();
    for (const outgoing of this.#open) {
      if (!isWaiting(outgoing)) continue;
      const since = this.#stalledSince.get(outgoing) ?? now;
      this.#stalledSince.set(outgoing, since);
      if (now - since >= mostMs) outgoing.destroy();
    }
  }
}

/** Whether something has been written that the other side has not taken. */
function isWaiting({ writableNeedDrain, writableEnded, writableFinished }: ServerResponse): boolean {
  return writableNeedDrain || (writableEnded && !writableFinished);
}
