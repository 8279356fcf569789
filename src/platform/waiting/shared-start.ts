import { unlessAborted } from "./until-aborted.ts";

/** A start that several sessions wait for, such as that of a server. It is given up when none of them waits any longer. */
export class SharedStart<T> {
  readonly started: Promise<T>;
  readonly #givenUp = new AbortController();
  #waiting = 0;
  #isOver = false;

  /** `start` must end what it has started, and reject, when the signal fires. */
  constructor(start: (givenUp: AbortSignal) => Promise<T>) {
    this.started = start(this.#givenUp.signal);
    const over = (): void => {
      this.#isOver = true;
    };
    this.started.then(over, over);
  }

  get isGivenUp(): boolean {
    return this.#givenUp.signal.aborted;
  }

  /** Waits for the start until the signal fires. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await (signal ? unlessAborted(signal, this.started) : this.started);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.#givenUp.abort();
    }
  }
}
