import { type Mode, modeNamed } from "../core/permission-mode.ts";
import type { SessionEntry, SessionSnapshot } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { Rule } from "../permissions/rule.ts";
import { StoredValues } from "./stored-values.ts";

/** The session data that a caller sends with a call. */
export type CallerSession = Omit<SessionSnapshot, "id">;

/** The maximum number of entries and of granted rules; the oldest are dropped. */
const MAX_ENTRIES = 10_000;
const MAX_GRANTS = 1_000;

/** The events that change the state of a session. */
export const STATE_EVENTS: readonly DurableEvent["type"][] = [
  "session.start",
  "message.user",
  "state.set",
  "entry.added",
];

/** The state of a session for its calls, folded from its events. */
export class SessionState {
  readonly #values = new StoredValues();
  readonly #entries: SessionEntry[] = [];
  #title: string | undefined;
  #activeTools: readonly string[] | undefined;
  #grants: readonly Rule[] = [];
  #mode: Mode | undefined;
  #tools: readonly string[] | undefined;
  readonly #agentValues = new StoredValues();
  #hasMessages = false;

  apply(event: DurableEvent): void {
    if (event.type === "session.start") this.#title = event.title;
    else if (event.type === "message.user") this.#hasMessages = true;
    else if (event.type === "entry.added") this.#addEntry(event.entry);
    else if (event.type === "state.set" && event.of === "tools") this.#values.set(event.key, event.value);
    else if (event.type === "state.set" && event.of === "agent") this.#agentValues.set(event.key, event.value);
    else if (event.type === "state.set") this.#setOwn(event.key, event.value);
  }

  /** A value that a tool stored. */
  value(key: string): unknown {
    return this.#values.get(key);
  }

  /** Whether a tool has ever stored a value. */
  get hasValues(): boolean {
    return this.#values.wereSet;
  }

  /** The names of the tools that the session's model is shown; undefined for all. */
  get activeTools(): readonly string[] | undefined {
    return this.#activeTools;
  }

  /** The rules that people have granted for the session. */
  get grants(): readonly Rule[] {
    return this.#grants;
  }

  /** The permission mode that was chosen for the session. */
  get mode(): Mode | undefined {
    return this.#mode;
  }

  /** The only tools that the session's agent is shown, as they were chosen for the session. Names may have wildcards. */
  get tools(): readonly string[] | undefined {
    return this.#tools;
  }

  /** Whether there has been a turn. */
  get hasMessages(): boolean {
    return this.#hasMessages;
  }

  /** A value that the agent of the session stored. */
  agentValue(key: string): unknown {
    return this.#agentValues.get(key);
  }

  /** The session data from the caller, with the changes of tools; undefined if there is neither. */
  snapshot(id: string, caller: CallerSession | undefined): SessionSnapshot | undefined {
    const own = {
      ...(this.#title === undefined ? {} : { name: this.#title }),
      ...(this.#activeTools === undefined ? {} : { activeTools: this.#activeTools }),
    };
    const hasOwn = this.#entries.length > 0 || Object.keys(own).length > 0;
    if (!hasOwn && !caller) return undefined;
    const { state: _, ...base } = caller ?? {};
    return hasOwn ? { ...base, ...own, ...history(base, this.#entries), id } : { ...base, id };
  }

  #addEntry(entry: SessionEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
  }

  #setOwn(key: string, value: unknown): void {
    if (key === "title") this.#title = typeof value === "string" ? value : undefined;
    if (key === "activeTools") this.#activeTools = Array.isArray(value) ? value : undefined;
    if (key === "mode") this.#mode = modeNamed(value);
    if (key === "tools") this.#tools = Array.isArray(value) ? value : undefined;
    if (key === "grants") this.#grants = Array.isArray(value) ? value.slice(-MAX_GRANTS) : [];
  }
}

/**
 * The caller's history, followed by the entries that tools added and the caller does not have. The added entries continue the
 * caller's current branch, even if they were added before its last entry.
 */
function history(
  { entries = [], leafId }: CallerSession,
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
