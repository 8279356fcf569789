/** A limit of time that stands still while somebody is asked something. */
export interface TimeLimit {
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
  /** Does this without counting the time it takes. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
  /** To be called when nothing is limited any more. */
  end(): void;
}

export function startTimeLimit(ms: number): TimeLimit {
  const over = new AbortController();
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    since = performance.now();
    timer = setTimeout(() => over.abort(), left);
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
