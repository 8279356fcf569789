import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { BUSY_MS, busyError, isBusy } from "./store-errors.ts";

/** The write lock of a busy database is free for microseconds only, so that some attempts follow each other closely. */
const CLOSE_MS = 3;
const MAX_SLEEP_MS = 20;

/** Waits before the next attempt to get the lock. `waitedMs` is the time since the first attempt. */
export async function pauseWhileBusy(waitedMs: number): Promise<void> {
  if (waitedMs % (CLOSE_MS + MAX_SLEEP_MS) < CLOSE_MS) await nextTurn();
  else await sleep(Math.random() * MAX_SLEEP_MS);
}

/**
 * The result of `work`, which is repeated while another process holds the lock of the database. The event loop runs between the
 * attempts: a stopped process may hold the lock for hours. Rejects with "store_busy" after `limitMs`.
 */
export async function retryWhileBusy<T>(file: string, work: () => T, limitMs: number = BUSY_MS): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const waited = performance.now() - startedAt;
    if (waited > limitMs) throw busyError(file);
    await pauseWhileBusy(waited);
  }
}
