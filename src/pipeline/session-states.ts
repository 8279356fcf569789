import { type SessionAction, type SessionEntry, type SessionSnapshot, sessionAfter } from "../core/session.ts";

/** Sessions that are remembered, and entries of each; the oldest are forgotten. */
const MAX_SESSIONS = 1_000;
const MAX_ENTRIES = 10_000;

/** What tool files have done to the sessions they ran in: later calls of a session see it. */
export class SessionStates {
  readonly #states = new Map<string, Omit<SessionSnapshot, "id">>();

  /** What the caller says of a session, and what tools have added; undefined where there is nothing of either. */
  snapshot(id: string, given: Omit<SessionSnapshot, "id"> | undefined): SessionSnapshot | undefined {
    const state = this.#states.get(id);
    if (!state) return given && { ...given, id };
    return { ...given, ...state, ...history(given, state.entries ?? []), id };
  }

  /** The names that a session's model is to be shown; undefined for all. */
  activeTools(id: string): readonly string[] | undefined {
    return this.#states.get(id)?.activeTools;
  }

  apply(id: string, action: SessionAction): void {
    const state = this.#states.get(id) ?? {};
    const changed = sessionAfter(state, action);
    if (changed === state) return;
    this.#states.delete(id);
    this.#states.set(id, bounded(changed));
    const [oldest] = this.#states.keys();
    if (this.#states.size > MAX_SESSIONS && oldest !== undefined) this.#states.delete(oldest);
  }
}

/**
 * The caller's history, and after it what tools have added and the caller does not know of: so that the branch on which
 * the session stands has both, however far the caller has gone on since.
 */
function history(
  { entries = [], leafId }: Omit<SessionSnapshot, "id"> = {},
  added: readonly SessionEntry[],
): Pick<SessionSnapshot, "entries" | "leafId"> {
  const known = new Set(entries.map(({ id }) => id));
  const own = added.filter(({ id }) => !known.has(id));
  const all = [...entries];
  let leaf = leafId === undefined ? entries.at(-1)?.id : leafId;
  for (const entry of own) {
    all.push(leaf === undefined ? entry : { ...entry, parentId: leaf });
    leaf = entry.id;
  }
  return { ...(all.length > 0 ? { entries: all } : {}), ...(leaf === undefined ? {} : { leafId: leaf }) };
}

function bounded(state: Omit<SessionSnapshot, "id">): Omit<SessionSnapshot, "id"> {
  return state.entries === undefined ? state : { ...state, entries: state.entries.slice(-MAX_ENTRIES) };
}
