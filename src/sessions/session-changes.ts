import { type SessionAction, type SessionEntry, type SessionSnapshot, sessionAfter } from "../core/session.ts";
import { setBounded } from "../core/set-bounded.ts";
import { StoredValues } from "./stored-values.ts";

/** The session data that a caller sends with a call. */
export type CallerSession = Omit<SessionSnapshot, "id">;

/** The maximum number of sessions with changes, and of entries in each; the oldest are dropped. */
const MAX_SESSIONS = 1_000;
const MAX_ENTRIES = 10_000;

/** The changes that tool files made to sessions, and the values that they stored. Later calls of a session see both. */
export class SessionChanges {
  readonly #changes = new Map<string, CallerSession>();
  readonly #values = new Map<string, StoredValues>();

  /** The session data from the caller, with the changes of tools; undefined if there is neither. */
  snapshot(id: string, caller: CallerSession | undefined): SessionSnapshot | undefined {
    const base = caller && this.#takeState(id, caller);
    const changes = this.#changes.get(id);
    if (!changes) return base && { ...base, id };
    return { ...base, ...changes, ...history(base, changes.entries ?? []), id };
  }

  /** A value that a tool stored, or that the caller sent from an earlier run of the session. */
  storedValue(id: string, key: string): unknown {
    return this.#values.get(id)?.get(key);
  }

  /** The names of the tools that a session's model is shown; undefined for all. */
  activeTools(id: string): readonly string[] | undefined {
    return this.#changes.get(id)?.activeTools;
  }

  apply(id: string, action: SessionAction): void {
    if (action.type === "state") return this.#store(id, action.key, action.value);
    const before = this.#changes.get(id) ?? {};
    const changes = sessionAfter(before, action);
    if (changes === before) return;
    setBounded(this.#changes, id, withLastEntries(changes), MAX_SESSIONS);
  }

  #store(id: string, key: string, value: unknown): void {
    const values = this.#values.get(id) ?? new StoredValues();
    values.set(key, value);
    setBounded(this.#values, id, values, MAX_SESSIONS);
  }

  /** The caller's stored values initialise a session that has none yet. They are not part of the snapshot for tools. */
  #takeState(id: string, { state, ...others }: CallerSession): Omit<CallerSession, "state"> {
    if (state && !this.#values.has(id)) setBounded(this.#values, id, new StoredValues(state), MAX_SESSIONS);
    return others;
  }
}

/**
 * The caller's history, followed by the entries that tools added and the caller does not have. The added entries continue the
 * caller's current branch, even if they were added before its last entry.
 */
function history(
  { entries = [], leafId }: CallerSession = {},
  added: readonly SessionEntry[],
): Pick<SessionSnapshot, "entries" | "leafId"> {
  const known = new Set(entries.map(({ id }) => id));
  const all = [...entries];
  let leaf = leafId === undefined ? entries.at(-1)?.id : leafId;
  for (const entry of added.filter(({ id }) => !known.has(id))) {
    all.push(leaf === undefined ? entry : { ...entry, parentId: leaf });
    leaf = entry.id;
  }
  return { ...(all.length > 0 ? { entries: all } : {}), ...(leaf === undefined ? {} : { leafId: leaf }) };
}

function withLastEntries(changes: CallerSession): CallerSession {
  return changes.entries === undefined ? changes : { ...changes, entries: changes.entries.slice(-MAX_ENTRIES) };
}
