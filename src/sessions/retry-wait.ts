/** How long to wait before the first repetition of what a store could not do. */
export const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;

/** How long to wait before the next one. */
export function nextWait(waitMs: number): number {
  return Math.min(2 * waitMs, MAX_WAIT_MS);
}
