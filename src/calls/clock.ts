import { timerDelay } from "../platform/waiting/max-delay.ts";

/** Why a clock ended a call: its time is used up, or no host started it in time. */
type ClockEnd = "out of time" | "not started";

/**
 * Counts down while a host works on a call. It does not run while the call waits for a host or for the answer of a person.
 */
export class Clock {
  readonly #onEnd: (why: ClockEnd) => void;
  readonly #waitMs: number;
  /** The clock of the call that made this call. */
  readonly #outer: Clock | undefined;
  #resumeOuter: (() => void) | undefined;
  #left: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #running = false;

  /**
   * `waitMs` is how long each piece of work may wait for a host to start it. The clock `outer` runs only while this one does,
   * until `close`.
   */
  constructor(
    { ms, waitMs, outer }: { readonly ms: number; readonly waitMs: number; readonly outer?: Clock | undefined },
    onEnd: (why: ClockEnd) => void,
  ) {
    this.#left = timerDelay(ms);
    this.#waitMs = timerDelay(waitMs);
    this.#onEnd = onEnd;
    this.#outer = outer;
    this.#resumeOuter = outer?.pause();
  }

  /** Does nothing if it is running already. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    if (this.#pauses === 0) this.#resume();
  }

  /** A clock that is started again continues with the time that is left. */
  stop(): void {
    if (this.#running && this.#pauses === 0) this.#suspend();
    this.#running = false;
  }

  /** Runs from the first call of `started` until the work is done. Later calls of `started` do nothing. */
  async countFrom<T>(work: (started: () => void) => Promise<T>): Promise<T> {
    let state: "waiting" | "started" | "done" = "waiting";
    let wait: NodeJS.Timeout | undefined;
    const started = (): void => {
      if (state !== "waiting") return;
      state = "started";
      clearTimeout(wait);
      this.start();
    };
    try {
      const working = work(started);
      if (state === "waiting") wait = setTimeout(this.#onEnd, this.#waitMs, "not started");
      return await working;
    } finally {
      state = "done";
      clearTimeout(wait);
      this.stop();
    }
  }

  /** Pauses until the work is done. Pauses may overlap. */
  async pausedFor<T>(work: () => Promise<T>): Promise<T> {
    const resume = this.pause();
    try {
      return await work();
    } finally {
      resume();
    }
  }

  /** Returns the function that ends the pause. It must be called once. */
  pause(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1 && this.#running) this.#suspend();
    return () => {
      this.#pauses -= 1;
      if (this.#pauses === 0 && this.#running) this.#resume();
    };
  }

  /** To be called when the call is over: the outer clock no longer depends on this one. */
  close(): void {
    this.stop();
    this.#resumeOuter?.();
    this.#resumeOuter = undefined;
  }

  #resume(): void {
    this.#resumeOuter?.();
    this.#resumeOuter = undefined;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#left), "out of time");
  }

  #suspend(): void {
    this.#left -= performance.now() - this.#startedAt;
    clearTimeout(this.#timer);
    this.#resumeOuter = this.#outer?.pause();
  }
}
