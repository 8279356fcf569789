/** Several events within this time cause one request. */
const COALESCED_MS = 100;
/** A value that takes long to read is read again after so many times its duration: the server does other work too. */
const REST = 3;

/**
 * Decides when a value is read again after events: not while it is being read, because that read would be lost, and less often the
 * longer a read takes.
 */
export class RefreshPace {
  readonly #refresh: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read: AbortSignal | undefined;
  #beganAt = 0;
  #waitMs = COALESCED_MS;
  #isDue = false;

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** A read has begun. It replaces an earlier one. */
  begin(read: AbortSignal): void {
    this.stop();
    this.#read = read;
    this.#beganAt = performance.now();
  }

  /** A read has ended. One that was replaced does not count. */
  end(read: AbortSignal): void {
    if (read !== this.#read) return;
    this.#read = undefined;
    this.#waitMs = Math.max(COALESCED_MS, REST * (performance.now() - this.#beganAt));
    if (this.#isDue) this.changed();
  }

  /** The value may be out of date. Not put off by each event: they may come without a pause. */
  changed(): void {
    this.#isDue = true;
    if (this.#read) return;
    this.#timer ??= setTimeout(() => {
      this.stop();
      this.#refresh();
    }, this.#waitMs);
  }

  /** Forgets events that have not caused a read yet. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }
}
