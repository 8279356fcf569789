import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";

/** How many events are read at a time. */
const PAGE = 500;

/** The events of a session after a position, oldest first; with `types`, only these. */
export async function* storedEvents<T extends DurableEvent["type"]>(
  store: SessionStore,
  sessionID: string,
  types?: readonly T[],
  position = 0,
): AsyncGenerator<StoredEvent & { readonly type: T }> {
  for (let after = position; ; ) {
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

/** Of a longer log, only the last events are read. */
const MAX_LAST = 20_000;
const FIRST_LAST = 100;

/**
 * The last events of a session up to a position, oldest first; with `types`, only these. As many as `isEnough` asks for, or those of
 * the last 20,000 events: a long log is not read as a whole to find them.
 */
export async function lastEvents(
  store: SessionStore,
  sessionID: string,
  {
    before = Number.POSITIVE_INFINITY,
    types,
  }: { readonly before?: number; readonly types?: readonly DurableEvent["type"][] },
  isEnough: (events: readonly StoredEvent[]) => boolean,
): Promise<readonly StoredEvent[]> {
  const { position = 0 } = (await store.get(sessionID)) ?? {};
  const last = Math.min(before, position);
  const first = Math.max(0, last - MAX_LAST);
  let found: readonly StoredEvent[] = [];
  let [to, step] = [last, FIRST_LAST];
  while (to > first && !isEnough(found)) {
    const after = Math.max(first, to - step);
    found = [...(await eventsBetween(store, sessionID, { after, to, types })), ...found];
    [to, step] = [after, Math.ceil(step * 1.5)];
  }
  return found;
}

const FROM_EVENTS: readonly DurableEvent["type"][] = ["message.user", "message.complete", "tool.start"];

/** The position before the last prompt at or before a message; 0 if there is none. The end of the log is read first. */
export async function positionBefore(store: SessionStore, sessionID: string, messageID: string): Promise<number> {
  let isFound = false;
  let { position: to = 0 } = (await store.get(sessionID)) ?? {};
  for (let step = FIRST_LAST; to > 0; step *= 2) {
    const after = Math.max(0, to - step);
    for (const event of (await eventsBetween(store, sessionID, { after, to, types: FROM_EVENTS })).toReversed()) {
      isFound ||= "messageID" in event && event.messageID === messageID;
      if (isFound && event.type === "message.user") return event.position - 1;
    }
    to = after;
  }
  return 0;
}

async function eventsBetween(
  store: SessionStore,
  sessionID: string,
  {
    after,
    to,
    types,
  }: { readonly after: number; readonly to: number; readonly types?: readonly DurableEvent["type"][] | undefined },
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let at = after; at < to; ) {
    const page = await store.read(sessionID, at, Math.min(PAGE, to - at), types);
    found.push(...page.filter(({ position }) => position <= to));
    at = page.at(-1)?.position ?? to;
  }
  return found;
}
