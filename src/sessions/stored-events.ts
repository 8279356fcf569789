import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";

/** How many events are read at a time. */
const PAGE = 500;

/** The events of a session, oldest first; with `types`, only these. */
export async function* storedEvents<T extends DurableEvent["type"]>(
  store: SessionStore,
  sessionID: string,
  types?: readonly T[],
): AsyncGenerator<StoredEvent & { readonly type: T }> {
  for (let after = 0; ; ) {
    const events = await store.read(sessionID, after, PAGE, types);
    yield* events as readonly (StoredEvent & { readonly type: T })[];
    const last = events.at(-1);
    if (!last) return;
    after = last.position;
  }
}
