import { setImmediate } from "node:timers/promises";

/** Lets others have a turn during long work in one go, and ends it when the call is cancelled. */
export interface TimeSlice {
  /** Whether it is time to `rest`. */
  readonly isOver: boolean;
  /** Rejects with the signal's reason once that has fired. */
  next(): Promise<void>;
}

const SLICE_MS = 20;

export function startTimeSlice(signal: AbortSignal): TimeSlice {
  let since = performance.now();
  return {
    get isOver() {
      return performance.now() - since > SLICE_MS;
    },
    async next() {
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
}
