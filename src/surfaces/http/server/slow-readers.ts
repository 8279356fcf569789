import type { ServerResponse } from "node:http";

/** Checks per timeout. */
const CHECKS = 5;

/**
 * Destroys responses that their client does not read, because their buffers would stay in memory. Node does not report how
 * much of a write the client has read, only whether it has read all.
 */
export class SlowReaders {
  readonly #open = new Set<ServerResponse>();
  readonly #stalledSince = new Map<ServerResponse, number>();
  readonly #checking: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#checking = setInterval(() => this.#check(timeoutMs), timeoutMs / CHECKS).unref();
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
    clearInterval(this.#checking);
  }

  #check(timeoutMs: number): void {
    const now = performance.now();
    for (const outgoing of this.#open) {
      if (!isUnread(outgoing)) continue;
      const since = this.#stalledSince.get(outgoing) ?? now;
      this.#stalledSince.set(outgoing, since);
      if (now - since >= timeoutMs) outgoing.destroy();
    }
  }
}

/** Whether the client has not read all that was written. */
function isUnread({ writableNeedDrain, writableEnded, writableFinished }: ServerResponse): boolean {
  return writableNeedDrain || (writableEnded && !writableFinished);
}
