import { monotonic } from "./protocol.ts";

/** A process that says nothing for this long, though asked, is not listening. */
const SILENT_MS = 500;

/** Whether a process at the other end of a channel is listening, by what is heard of it. */
export class Heartbeat {
  readonly #everyMs: number;
  #heardAt = monotonic();
  #lookedAt = monotonic();
  #askedAt: number | undefined;

  /** `everyMs` is how often `look` will be called. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  heard(): void {
    this.#heardAt = monotonic();
    this.#askedAt = undefined;
  }

  /** There is nothing to wait for: silence means nothing. */
  rest(): void {
    this.#askedAt = undefined;
  }

  wasHeardWithin(ms: number): boolean {
    return monotonic() - this.#heardAt < ms;
  }

  get isSilent(): boolean {
    return this.#askedAt !== undefined && monotonic() - this.#heardAt > SILENT_MS;
  }

  /** To be called regularly. When we ourselves were held up meanwhile, the other's silence says nothing. */
  look(): void {
    const now = monotonic();
    if (now - this.#lookedAt > this.#everyMs * 3) this.#heardAt = now;
    this.#lookedAt = now;
  }

  /** Whether it is time to ask, and notes that it was done. */
  asks(): boolean {
    if (this.#askedAt !== undefined || this.wasHeardWithin(this.#everyMs)) return false;
    this.#askedAt = monotonic();
    return true;
  }
}
