/** A step may take about as long as this: it holds the event loop, and the lock of the database. */
export const STEP_MS = 8;
const FIRST_ROWS = 64;
const MAX_ROWS = 4_096;

/** The number of rows of one step. Rows may have a few bytes or 16 MB, and a disk may be slow: each step sets the size of the next one. */
export class StepSize {
  #rows = FIRST_ROWS;

  /** Does one step, with at most so many rows. */
  run<T>(work: (rows: number) => T): T {
    const startedAt = performance.now();
    const result = work(this.#rows);
    const ms = performance.now() - startedAt;
    if (ms < STEP_MS / 2) this.#rows = Math.min(MAX_ROWS, this.#rows * 2);
    else if (ms > STEP_MS) this.#rows = Math.max(1, Math.floor(this.#rows / 4));
    return result;
  }
}
