import type { SessionInfo, StoredEvent } from "../core/session-log.ts";
import type { LogSnapshot, SessionStore } from "../core/session-store.ts";
import { isObject } from "../platform/values/is-object.ts";
import { tryOrUndefined } from "../platform/values/try-or-undefined.ts";
import { FOLD, STATE_EVENTS } from "./folded-state.ts";

/** How many events are read at a time. */
const PAGE = 500;

/** The events that a state depends on, up to a position. */
interface KeptEvents {
  readonly position: number;
  readonly events: readonly StoredEvent[];
}

/** The events that the snapshot of a session names. Undefined if there is no snapshot that fits a log with this last position. Never rejects. */
export async function readKept(store: SessionStore, sessionID: string, last: number): Promise<KeptEvents | undefined> {
  try {
    const snapshot = await store.snapshot?.(sessionID);
    if (!store.readAt || !isUsable(snapshot, last)) return undefined;
    const { position, kept } = snapshot;
    const events: StoredEvent[] = [];
    while (events.length < kept.length) {
      const page = await store.readAt(sessionID, kept.slice(events.length, events.length + PAGE));
      const isAsked = page.every((event, index) => event.position === kept[events.length + index] && isState(event));
      if (page.length === 0 || !isAsked) return undefined;
      events.push(...page);
    }
    return { position, events };
  } catch {
    // The log says the same, or why it cannot be read.
    return undefined;
  }
}

/** Stores which events the state of a session depends on. Never fails: the next snapshot replaces it. */
export function storeKept(
  store: SessionStore,
  session: Pick<SessionInfo, "id" | "createdAt">,
  kept: Omit<LogSnapshot, "fold">,
): void {
  void tryOrUndefined(() => store.storeSnapshot?.(session, { fold: FOLD, ...kept }))?.catch(() => {});
}

function isState({ type }: StoredEvent): boolean {
  return STATE_EVENTS.includes(type);
}

/** It may be of another version, or of another log with the same id. The first event is always kept. */
function isUsable(snapshot: unknown, last: number): snapshot is LogSnapshot {
  if (!isObject(snapshot)) return false;
  const { fold, position, kept } = snapshot as Partial<LogSnapshot>;
  if (fold !== FOLD || !Number.isSafeInteger(position) || Number(position) > last) return false;
  if (!Array.isArray(kept) || kept[0] !== 1) return false;
  return kept.every((at, index) => Number.isSafeInteger(at) && at <= Number(position) && at > (kept[index - 1] ?? 0));
}
