import { type SessionAction, type SessionEntry, type SessionSnapshot, sessionAfter } from "../core/session.ts";
import { KeptThings } from "./session-state.ts";

/** Sessions that are remembered, and entries of each; the oldest are forgotten. */
const MAX_SESSIONS = 1_000;
const MAX_ENTRIES = 10_000;

/** What tool files have done to the sessions they ran in: later calls of a session see it. */
export class SessionStates {
  readonly #states = new Map<string, Omit<SessionSnapshot, "id">>();
  readonly #kept = new Map<string, KeptThings>();

  /** What the caller says of a session, and what tools have added; undefined where there is nothing of either. */
  snapshot(id: string, given: Omit<SessionSnapshot, "id"> | undefined): SessionSnapshot | undefined {
    const said = given && this.#withoutKept(id, given);
    const state = this.#states.get(id);
    if (!state) return said && { ...said, id };
    return { ...said, ...state, ...history(said, state.entries ?? []), id };
  }

  /** What a tool has kept for a session, in this one or, where its caller has brought it along, before. */
  kept(id: string, key: string): unknown {
    return this.#kept.get(id)?.get(key);
  }

  /** The names that a session's model is to be shown; undefined for all. */
  activeTools(id: string): readonly string[] | undefined {
    return this.#states.get(id)?.activeTools;
  }

  apply(id: string, action: SessionAction): void {
    if (action.type === "state") return this.#keep(id, action.key, action.value);
    const state = this.#states.get(id) ?? {};
    const changed = sessionAfter(state, action);
    if (changed === state) return;
    setNewest(this.#states, id, bounded(changed), MAX_SESSIONS);
  }

  #keep(id: string, key: string, value: unknown): void {
    const kept = this.#kept.get(id) ?? new KeptThings();
    kept.set(key, value);
    setNewest(this.#kept, id, kept, MAX_SESSIONS);
  }

  /** What the caller brings along counts until tools have kept something themselves. It is not sent to tools. */
  #withoutKept(id: string, { state, ...others }: Omit<SessionSnapshot, "id">): Omit<SessionSnapshot, "id" | "state"> {
    if (state && !this.#kept.has(id)) setNewest(this.#kept, id, new KeptThings(state), MAX_SESSIONS);
    return others;
  }
}

/** Puts something last, and drops the first where there are too many. */
function setNewest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
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
