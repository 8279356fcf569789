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

/** The first event of a type that passes a test. */
export async function findEvent<T extends DurableEvent["type"]>(
  store: SessionStore,
  sessionID: string,
  type: T,
  test: (event: StoredEvent & { readonly type: T }) => boolean,
): Promise<(StoredEvent & { readonly type: T }) | undefined> {
  for await (const event of storedEvents(store, sessionID, [type])) {
    if (test(event)) return event;
  }
  return undefined;
}
