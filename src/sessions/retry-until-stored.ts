import { setTimeout as sleep } from "node:timers/promises";
import { SessionError, type SessionErrorCode } from "../core/session-store.ts";

/** How long to wait before the first repetition of what a store could not do. */
export const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;

/** How long to wait before the next one. */
export function nextWait(waitMs: number): number {
  return Math.min(2 * waitMs, MAX_WAIT_MS);
}

/** The event is not needed: the log says otherwise, or there is none. */
const NOT_NEEDED: readonly SessionErrorCode[] = [
  "question_closed",
  "session_not_found",
  "session_removed",
  "store_closed",
  // The process that ended the turn has ended what was open.
  "superseded",
];

/**
 * Stores an event that must not be lost, after a first attempt failed. Tries again while the store is busy or fails, until the
 * signal fires: then once more. Never rejects.
 */
export async function retryUntilStored(
  first: unknown,
  store: () => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  let error = first;
  let isLast = false;
  for (let waitMs = FIRST_WAIT_MS; isNeeded(error) && !isLast; waitMs = nextWait(waitMs)) {
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    isLast = signal.aborted;
    try {
      return await store();
    } catch (again) {
      error = again;
    }
  }
}

function isNeeded(error: unknown): boolean {
  return !SessionError.is(error) || !NOT_NEEDED.includes(error.code);
}
