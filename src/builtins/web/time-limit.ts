import { timerDelay } from "../../platform/waiting/max-delay.ts";

/** A time limit that can be paused, for questions to a person. */
interface TimeLimit {
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
  /** Runs work without counting its time. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

export function startTimeLimit(ms: number): TimeLimit {
  const over = new AbortController();
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    since = performance.now();
    timer = setTimeout(() => over.abort(), timerDelay(left));
  };
  run();
  return {
    signal: over.signal,
    async pausedFor(work) {
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        return await work();
      } finally {
        run();
      }
    },
    end: () => clearTimeout(timer),
  };
}
