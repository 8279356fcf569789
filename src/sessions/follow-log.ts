import { setTimeout as sleep } from "node:timers/promises";
import type { FollowedEvent } from "../core/session-log.ts";
import { SessionError, type SessionErrorCode, type SessionStore } from "../core/session-store.ts";
import { FIRST_WAIT_MS, nextWait } from "./retry-until-stored.ts";

/** After these, the session cannot be followed again. */
const FINAL: readonly SessionErrorCode[] = [
  "session_not_found",
  "session_removed",
  "invalid_session_id",
  "invalid_position",
  "store_closed",
  "store_corrupt",
];

/**
 * The events of a session after a position, as `SessionStore.follow` gives them, until the signal fires. A reader that was too slow
 * goes on after the last event that it got. With `failed`, reading goes on after other failures too, and if the store ends it, once it
 * is possible again: `failed` is called for the first failure after each event.
 */
export async function* followLog(
  store: SessionStore,
  sessionID: string,
  after: number,
  { signal, failed }: { readonly signal: AbortSignal; readonly failed?: (error: unknown) => void },
): AsyncGenerator<FollowedEvent, void, undefined> {
  let position = after;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const event of store.follow(sessionID, position, signal)) {
        if ("position" in event) position = event.position;
        waitMs = FIRST_WAIT_MS;
        yield event;
      }
      if (!failed) return;
    } catch (error) {
      if (signal.aborted) return;
      const code = SessionError.is(error) ? error.code : undefined;
      if (code === "reader_too_slow") continue;
      if (!failed || (code !== undefined && FINAL.includes(code))) throw error;
      if (waitMs === FIRST_WAIT_MS) failed(error);
    }
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    waitMs = nextWait(waitMs);
  }
}
