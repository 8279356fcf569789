import { type Mode, modeNamed } from "../core/permission-mode.ts";
import type { SessionEntry, SessionSnapshot } from "../core/session.ts";
import type { AgentLink, DurableEvent } from "../core/session-log.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { StoredValues } from "./stored-values.ts";
import { addLimits, hasLimits, readSubAgentLimits, type SubAgentLimits } from "./sub-agent-limits.ts";

/** The session data that a caller sends with a call. */
export type CallerSession = Omit<SessionSnapshot, "id">;

/** The maximum number of entries and of granted rules; the oldest are dropped. */
const MAX_ENTRIES = 10_000;
const MAX_GRANTS = 1_000;

/** The key of a task in the log, before the id of its session. */
export const TASK_KEY = "task:";

/** The keys of values of the session that the last event decides. */
const OWN_KEYS: ReadonlySet<string> = new Set(["title", "activeTools", "mode", "tools"]);

/** The version of the rules that choose which events the state depends on. */
export const FOLD = 1;

/** The events that change the state of a session. */
export const STATE_EVENTS: readonly DurableEvent["type"][] = [
  "session.start",
  "message.user",
  "state.set",
  "entry.added",
];

/** The state of a session for its calls, folded from its events. */
export class FoldedState {
  readonly #values = new StoredValues();
  readonly #entries: { readonly entry: SessionEntry; readonly position: number }[] = [];
  #title: string | undefined;
  #activeTools: readonly string[] | undefined;
  #grants: readonly Rule[] = [];
  #mode: Mode | undefined;
  #tools: readonly string[] | undefined;
  #isSubAgent = false;
  #limits: SubAgentLimits | undefined;
  #agent: string | undefined;
  readonly #agentValues = new StoredValues();
  readonly #delegators = new StoredValues();
  #hasMessages = false;
  /** The positions of single events, by what they decide. */
  readonly #decided = new Map<string, number>();
  /** The positions of the events that added limits. */
  readonly #limited: number[] = [];
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  /** `isCopy`: the event comes from the session that this one is a branch of. `position`: its place in the log, if it has one. */
  apply(event: DurableEvent, isCopy = false, position = 0): void {
    if (event.type === "session.start") this.#start(event, position);
    else if (event.type === "message.user") this.#addMessage(position);
    else if (event.type === "entry.added") this.#addEntry(event.entry, position);
    else if (event.type === "state.set" && event.of === "tools") this.#values.set(event.key, event.value, position);
    else if (event.type === "state.set" && event.of === "agent")
      this.#agentValues.set(event.key, event.value, position);
    else if (event.type === "state.set" && event.key === "grants") this.#setGrants(event, isCopy, position);
    else if (event.type === "state.set") this.#setOwn(event, position);
  }

  /**
   * The positions of the events that the state depends on, ascending. Without the others, the state is the same, also that of a
   * branch. After a change of this rule, `FOLD` must change too.
   */
  get kept(): readonly number[] {
    const values = [this.#values, this.#agentValues, this.#delegators].flatMap(({ kept }) => kept);
    const entries = this.#entries.map(({ position }) => position);
    const all = new Set([...values, ...entries, ...this.#decided.values(), ...this.#limited]);
    return [...all].sort((one, other) => one - other);
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

  /** What limits a sub-agent; undefined for other sessions, and if the log does not say it. */
  get limits(): SubAgentLimits | undefined {
    return this.#limits;
  }

  /** Whether this is the session of a sub-agent whose limits are not in the log, because an earlier version wrote it. */
  get lacksLimits(): boolean {
    return this.#isSubAgent && this.#limits === undefined;
  }

  /** The session that began a task: this one, or one that it is a branch of. Undefined if neither has begun a task with this session. */
  delegatorOf(taskSessionID: string): unknown {
    return this.#delegators.get(taskSessionID);
  }

  /** Whether there has been a turn. */
  get hasMessages(): boolean {
    return this.#hasMessages;
  }

  /** The agent that ran the last turn or, before the first one, for which the session was created. */
  get agent(): string | undefined {
    const link = this.#agentValues.get("session") as Partial<AgentLink> | undefined;
    return typeof link?.agent === "string" ? link.agent : this.#agent;
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
    return hasOwn
      ? {
          ...base,
          ...own,
          ...history(
            base,
            this.#entries.map(({ entry }) => entry),
          ),
          id,
        }
      : { ...base, id };
  }

  #addMessage(position: number): void {
    if (!this.#hasMessages) this.#decided.set("message", position);
    this.#hasMessages = true;
  }

  #addEntry(entry: SessionEntry, position: number): void {
    this.#entries.push({ entry, position });
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
  }

  #setOwn({ key, value, sessionID }: DurableEvent & { type: "state.set" }, position: number): void {
    if (key === "title") this.#title = typeof value === "string" ? value : undefined;
    if (key === "activeTools") this.#activeTools = Array.isArray(value) ? value : undefined;
    if (key === "mode") this.#mode = modeNamed(value);
    if (key === "tools") this.#tools = Array.isArray(value) ? value : undefined;
    if (OWN_KEYS.has(key)) this.#decided.set(key, position);
    if (key === "subAgent") this.#addLimits(readSubAgentLimits(value), position);
    if (key.startsWith(TASK_KEY)) this.#delegators.set(key.slice(TASK_KEY.length), sessionID, position);
  }

  /** Grants end with their session: a branch does not take them. */
  #setGrants(
    { value, sessionID = this.#id }: DurableEvent & { type: "state.set" },
    isCopy: boolean,
    position: number,
  ): void {
    const isOwn = !isCopy && sessionID === this.#id;
    this.#grants = isOwn && Array.isArray(value) ? value.slice(-MAX_GRANTS) : [];
    this.#decided.set("grants", position);
  }

  #start({ title, parent, agent }: DurableEvent & { type: "session.start" }, position: number): void {
    this.#title = title;
    this.#agent = agent;
    this.#isSubAgent = parent !== undefined;
    this.#decided.set("start", position);
  }

  #addLimits(limits: SubAgentLimits | undefined, position: number): void {
    if (!limits || hasLimits(this.#limits, limits)) return;
    this.#limits = addLimits(this.#limits, limits);
    this.#limited.push(position);
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
