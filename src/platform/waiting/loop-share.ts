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
    return nextTurn(() => {
      this.#until = performance.now() + SHARE_MS;
    });
  }
}

/** The share of the event loop of works that cannot be told apart, such as the reads of all callers: all of them have one in each turn of the loop. */
export class CommonLoopShare {
  /** Undefined if none of them has run in this turn. */
  #until: number | undefined;

  /** As `pause` of `LoopShare`, but it is to be called before each step, also before the first. */
  pause(): Promise<void> | undefined {
    if (this.#until !== undefined && performance.now() >= this.#until) return nextTurn(() => this.#begin());
    if (this.#until === undefined) this.#begin();
    return undefined;
  }

  #begin(): void {
    this.#until = performance.now() + SHARE_MS;
    setImmediate(() => {
      this.#until = undefined;
    });
  }
}

/** Resolves when it is the turn of this work, of all that wait. */
function nextTurn(begin: () => void): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(() => {
      begin();
      resolve();
    });
    if (waiting.length === 1) setImmediate(continueNext);
  });
}

function continueNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueNext);
}
