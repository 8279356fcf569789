import { setImmediate } from "node:timers/promises";

/** Lets others have a turn during long work in one go, and ends it when the call is cancelled. */
export interface Breather {
  /** Whether it is time to `rest`. */
  readonly isDue: boolean;
  /** Rejects with the signal's reason once that has fired. */
  rest(): Promise<void>;
}

const AT_A_TIME_MS = 20;

export function createBreather(signal: AbortSignal): Breather {
  let since = performance.now();
  return {
    get isDue() {
      return performance.now() - since > AT_A_TIME_MS;
    },
    async rest() {
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
}
