/** The maximum delay of a timer. Node fires a timer with a longer delay at once. */
export const MAX_DELAY_MS: number = 2 ** 31 - 1;

/** A delay that a timer can have. For delays that come from a file, an argument or a client, or are a sum with one. */
export function timerDelay(ms: number): number {
  return Math.min(ms, MAX_DELAY_MS);
}
