/** A timer that is set for longer would go off at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Counts down while a call runs, and stands still while a question to the user is open. */
export class Clock {
  readonly #onEnd: () => void;
  #left: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #running = false;

  constructor(ms: number, onEnd: () => void) {
    this.#left = Math.min(ms, LONGEST_MS);
    this.#onEnd = onEnd;
  }

  start(): void {
    this.#running = true;
    if (this.#pauses === 0) this.#resume();
  }

  /** What has been used stays used: it may be started again. */
  stop(): void {
    if (this.#running && this.#pauses === 0) this.#suspend();
    this.#running = false;
  }

  /** Time does not count until the work is done; questions may overlap. */
  async pausedFor<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    if (this.#pauses === 1 && this.#running) this.#suspend();
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && this.#running) this.#resume();
    }
  }

  #resume(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, this.#left);
  }

  #suspend(): void {
    this.#left -= performance.now() - this.#startedAt;
    clearTimeout(this.#timer);
  }
}
