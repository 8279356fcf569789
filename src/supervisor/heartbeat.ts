/** A process that says nothing for this long, though asked, is not listening. */
const SILENT_MS = 500;

/** Whether a process at the other end of a channel is listening, by what is heard of it. */
export class Heartbeat {
  readonly #everyMs: number;
  #heardAt = performance.now();
  #lookedAt = performance.now();
  #askedAt: number | undefined;

  /** `everyMs` is how often `look` will be called. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  heard(): void {
    this.#heardAt = performance.now();
    this.#askedAt = undefined;
  }

  /** There is nothing to wait for: silence means nothing. */
  rest(): void {
    this.#askedAt = undefined;
  }

  /** On the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  wasHeardWithin(ms: number): boolean {
    return performance.now() - this.#heardAt < ms;
  }

  get isSilent(): boolean {
    if (this.#askedAt === undefined) return false;
    return performance.now() - Math.max(this.#askedAt, this.#heardAt) > SILENT_MS;
  }

  /** To be called regularly. When we ourselves were held up meanwhile, the other's silence says nothing. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt > this.#everyMs * 3) this.#heardAt = now;
    this.#lookedAt = now;
  }

  /** Whether it is time to ask, and notes that it was done. */
  asks(): boolean {
    if (this.#askedAt !== undefined || this.wasHeardWithin(this.#everyMs)) return false;
    this.#askedAt = performance.now();
    return true;
  }
}
