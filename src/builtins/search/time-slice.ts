import { setImmediate } from "node:timers/promises";

/** Splits long synchronous work so that the event loop can run, and stops it when the call is cancelled. */
export interface TimeSlice {
  /** Whether to call `next`. */
  readonly isOver: boolean;
  /** Lets the event loop run. Rejects with the signal's reason when it has fired. */
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
