import type { Run } from "../calls/call.ts";
import type { Caller } from "../core/caller.ts";
import { messageOf } from "../core/error.ts";
import type { ToolEvent } from "../core/events.ts";
import { toPlain } from "../core/plain-result.ts";
import type { DurableEvent, LiveEvent, SessionHeader, SessionInfo } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { defined } from "../platform/values/defined.ts";
import { setBounded } from "../platform/values/set-bounded.ts";
import { isSameRule, type Mode, type Rule } from "../settings/permissions/rule.ts";
import type { EndEvent } from "./call-ends.ts";
import { FoldedState } from "./folded-state.ts";
import { LocalSession } from "./local-session.ts";
import { recordingProblem } from "./log/session-id.ts";
import { type AnsweredEvent, RecordedSession } from "./recorded-session.ts";
import { hasLimits, type SubAgentLimits } from "./sub-agent-limits.ts";

/**
 * How to open a session. The header counts only if the session is created. The other options replace those of an earlier `open`
 * in this process, if they are given.
 */
export interface OpenSession extends Partial<SessionHeader> {
  /** False if a model makes the calls: then calls that no rule covers are questions. By default that of the toolbox. */
  readonly callerIsAsked?: boolean;
  /** Whether readers of the session answer its questions with `answer`. */
  readonly answerable?: boolean;
  /** Whether a session that does not exist is an error ("session_not_found"); by default it is created. */
  readonly mustExist?: boolean;
}

/** What people have chosen for a session. */
export interface SessionChoices {
  readonly mode?: Mode;
  readonly tools?: readonly string[];
  readonly grants: readonly Rule[];
}

interface SessionsOptions {
  /** The directory of sessions that name none. */
  readonly directory: string;
  readonly openStore: () => Promise<SessionStore>;
  /** Whether the store is closed with the sessions. */
  readonly closesStore: boolean;
  /** Settles a question that was answered in another process. */
  readonly answered: (event: AnsweredEvent) => void;
  readonly warn: (message: string) => void;
}

/** The maximum number of sessions. The least recently used ones that are not in use are dropped. */
const MAX_SESSIONS = 1_000;
/** The number of sessions among which one to drop is looked for. */
const DROP_FROM = 8;
/** The maximum number of recorded sessions, those in memory and others. */
const MAX_RECORDED = 100_000;

/** Those of a session whose program says that it belongs to a task of another one, and no more. */
const NO_LIMITS: SubAgentLimits = { agents: [], tools: [], denials: [] };

/** The sessions that this process uses, and the store of those that are recorded. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, LocalSession>();
  /** The sessions that have been opened. Their state is read again if it was dropped from memory. */
  readonly #recorded = new Map<string, OpenSession>();
  readonly #opening = new Map<string, Promise<SessionInfo>>();
  #last: LocalSession | undefined;
  #store: Promise<SessionStore> | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The session with this id. It exists as soon as it is used. */
  get(id: string): LocalSession {
    if (this.#last?.id === id) return this.#last;
    const session = this.#sessions.get(id) ?? new LocalSession(id);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    this.#last = session;
    if (this.#sessions.size > MAX_SESSIONS) this.#dropOldest(session);
    return session;
  }

  /** The store of recorded sessions. It is opened on first use, and again after an error. */
  store(): Promise<SessionStore> {
    this.#store ??= this.#options.openStore().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  /** Opens a session of the store, or creates it. From then on, its calls and changes are recorded. */
  open(id: string, options: OpenSession = {}): Promise<SessionInfo> {
    const problem = recordingProblem(id);
    if (problem) return Promise.reject(new SessionError("invalid_session_id", `The id of a session ${problem}.`));
    // One after another: two logs of the same session would have two states.
    const before = this.#opening.get(id)?.catch(() => {}) ?? Promise.resolve();
    const opening = before
      .then(() => this.#open(id, options))
      .finally(() => {
        if (this.#opening.get(id) === opening) this.#opening.delete(id);
      });
    this.#opening.set(id, opening);
    return opening;
  }

  async #open(id: string, { mustExist = false, ...options }: OpenSession): Promise<SessionInfo> {
    const { callerIsAsked, answerable, ...header } = options;
    const store = await this.store();
    const { log } = this.get(id);
    const known = log && (await log.refresh());
    const created = mustExist ? undefined : { directory: this.#options.directory, ...header };
    const info = known ?? (await this.#load(store, id, created));
    const session = this.get(id);
    if (session.taskLimits && !session.state.lacksLimits) await storeLimits(session, session.taskLimits);
    setBounded(this.#recorded, id, { ...this.#recorded.get(id), ...header }, MAX_RECORDED);
    this.chooseAsking(id, defined({ callerIsAsked, answerable }));
    return info;
  }

  /** Sets who answers the questions of a session. What is left out stays: a surface must not allow more than the program does. */
  chooseAsking(id: string, choice: Pick<OpenSession, "callerIsAsked" | "answerable">): void {
    const session = this.get(id);
    const before = this.#recorded.get(id);
    session.callerIsAsked = choice.callerIsAsked ?? before?.callerIsAsked;
    session.answerable = choice.answerable ?? before?.answerable ?? false;
    setBounded(this.#recorded, id, { ...before, ...optionsOf(session) }, MAX_RECORDED);
  }

  /**
   * Reads the session from the store, or creates it there if there is a header. The log replaces the state of a session in memory
   * with the same id.
   */
  async #load(store: SessionStore, id: string, header: SessionHeader | undefined): Promise<SessionInfo> {
    const state = new FoldedState(id);
    const log = new RecordedSession(store, id, {
      fold: (...folded) => state.apply(...folded),
      kept: () => state.kept,
      answered: this.#options.answered,
      cancel: (callIDs) => abort(this.get(id), (callID) => callIDs.includes(callID)),
      cancelTurn: () => this.get(id).turn?.abort(),
      superseded: (error) => this.get(id).turn?.supersede(error),
      lost: (error) =>
        this.#options.warn(
          `The session "${id}" cannot be followed: cancels and answers of other processes do not reach it. ${messageOf(error)}`,
        ),
    });
    const existing = await log.refresh();
    const info = existing ?? (header && (await log.create(header)));
    if (!info) throw new SessionError("session_not_found", `There is no session "${id}".`);
    const session = this.get(id);
    const old = session.log;
    session.state = state;
    session.log = log;
    if (!existing && header?.parent) await storeLimits(session, session.taskLimits ?? NO_LIMITS);
    await old?.release().catch(() => {});
    return info;
  }

  /** What people have chosen for a session of the store. Rejects with "session_not_found" if there is none. */
  async choices(id: string): Promise<SessionChoices> {
    const { state } = await this.#existing(id);
    const mode = state.lacksLimits ? "plan" : state.mode;
    return { ...defined({ mode, tools: state.tools }), grants: state.grants };
  }

  /** Takes back a rule that was granted for a session. Resolves to false if it has no such rule. */
  async revoke(id: string, rule: Rule): Promise<boolean> {
    const session = await this.#existing(id);
    const { grants } = session.state;
    const kept = grants.filter((each) => !isSameRule(each, rule));
    if (kept.length === grants.length) return false;
    await session.setGrants(kept);
    return true;
  }

  async #existing(id: string): Promise<LocalSession> {
    await this.open(id, { mustExist: true });
    return this.get(id);
  }

  /** Asks the owner of a session to stop one call, or all. Resolves when the request is durable. */
  async cancel(id: string, request: { readonly callID?: string; readonly reason?: string } = {}): Promise<void> {
    const session = this.#sessions.get(id);
    const abortHere = (): void => {
      if (request.callID === undefined) session?.turn?.abort();
      if (session) abort(session, (callID) => (request.callID ?? callID) === callID);
    };
    if (session && !session.log) return abortHere();
    const store = await this.store();
    try {
      const position = await store.append(id, [cancelRequest(request)]);
      session?.log?.cancelled(position, request.callID);
    } catch (error) {
      // The turn and the calls of this process need no log to be stopped.
      abortHere();
      throw error;
    }
  }

  /** Rejects with "owned" if a turn or a call of the session runs in this process. */
  async assertIdle(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session?.turn?.isEnding) await session.turn.result;
    if (session?.turn || (session && session.runs.size > 0)) throw stillRuns(id);
  }

  /** Records an event of a call, if its session is recorded. Rejects only if the start of a call could not be stored. */
  recordCall(event: ToolEvent, caller: Caller): Promise<void> | undefined {
    const { sessionID } = event;
    const session = this.#last?.id === sessionID ? this.#last : this.#sessions.get(sessionID);
    const log = session?.log;
    if (!log) return event.type === "tool.start" ? this.#recordAgain(event, caller) : undefined;
    if (event.type === "tool.update") return void log.publish(toLogged(event));
    if (event.type === "tool.start") {
      const start = { ...toLogged(event), caller };
      session.conversation?.add(start);
      return log.begin(start);
    }
    const end = toLogged(event);
    session.conversation?.add(end);
    return log.end(end).catch((error: unknown) => {
      this.#options.warn(`The end of the call of "${event.tool}" could not be recorded. ${messageOf(error)}`);
    });
  }

  /** Records the start of a call in a session that was opened, but has been dropped from memory since. */
  #recordAgain(start: ToolEvent & { type: "tool.start" }, caller: Caller): Promise<void> | undefined {
    const options = this.#recorded.get(start.sessionID);
    if (!options) return undefined;
    return this.open(start.sessionID, options).then(() =>
      this.get(start.sessionID).log?.begin({ ...toLogged(start), caller }),
    );
  }

  /** Ends the ownership of all sessions, and closes the store. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ log }) => log?.close().catch(() => {})));
    const store = await this.#store?.catch(() => undefined);
    if (this.#options.closesStore) await store?.close();
  }

  /** Remembers a call until it ends, so that it can be aborted with its session. */
  track(sessionID: string, run: Run): void {
    const { runs } = this.get(sessionID);
    runs.add(run);
    // A result never rejects.
    void run.result.then(() => runs.delete(run));
  }

  /** Looks at a few sessions only, since all may be in use. Those that are go to the end, so that the next search begins after them. */
  #dropOldest(current: LocalSession): void {
    let seen = 0;
    for (const [id, session] of this.#sessions) {
      seen += 1;
      if (seen > DROP_FROM) return;
      this.#sessions.delete(id);
      if (session !== current && !session.isInUse) return;
      this.#sessions.set(id, session);
    }
  }
}

/** Stores what limits a sub-agent, before anything else happens in its session. Without it, the session runs in the mode `plan`. */
async function storeLimits({ state, log }: LocalSession, limits: SubAgentLimits): Promise<void> {
  if (hasLimits(state.limits, limits)) return;
  await log?.append({ type: "state.set", of: "session", key: "subAgent", value: limits });
}

function cancelRequest({ callID, reason }: { readonly callID?: string; readonly reason?: string }): DurableEvent {
  return { type: "cancel.requested", ...defined({ callID, reason }) };
}

function optionsOf({ callerIsAsked, answerable }: LocalSession): OpenSession {
  return { ...(callerIsAsked === undefined ? {} : { callerIsAsked }), answerable };
}

function abort({ runs }: LocalSession, isMeant: (callID: string) => boolean): void {
  for (const run of runs) if (isMeant(run.callID)) run.abort();
}

function stillRuns(id: string): SessionError {
  return new SessionError("owned", `Session ${JSON.stringify(id)} is running. Wait until it ends, or cancel it first.`);
}

function toLogged(event: ToolEvent & { type: "tool.update" }): LiveEvent;
function toLogged(event: ToolEvent & { type: "tool.start" }): DurableEvent & { type: "tool.start" };
function toLogged(event: ToolEvent & { type: "tool.complete" | "tool.failed" }): EndEvent;
function toLogged({ sessionID: _, at: __, source: ___, type, ...event }: ToolEvent): LiveEvent | DurableEvent {
  if (!("result" in event)) return { type, ...event } as LiveEvent | DurableEvent;
  const { output: ____, ...result } = toPlain(event.result);
  return { type, ...event, result } as DurableEvent;
}
