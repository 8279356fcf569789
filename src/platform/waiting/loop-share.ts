/** How long one work may hold the event loop. */
const SHARE_MS = 10;

/** The works that wait for the event loop, which all works of the process share. */
const waiting: (() => void)[] = [];

/** The share of the event loop of work that could hold it for long. */
export class LoopShare {
  #until = performance.now() + SHARE_MS;

  /**
   * To be called between two steps of the work. Undefined if it may go on at once; else resolves after everything else had its turn.
   * In one turn of the loop, only one work goes on: many at once would hold it as long as a large one.
   */
  pause(): Promise<void> | undefined {
    if (performance.now() < this.#until) return undefined;
    return new Promise((resolve) => {
      waiting.push(() => {
        this.#until = performance.now() + SHARE_MS;
        resolve();
      });
      if (waiting.length === 1) setImmediate(continueNext);
    });
  }
}

function continueNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueNext);
}
