import { AgentError, NO_AGENT_NAMED } from "../core/agent-error.ts";
import type { AgentRun } from "../core/coding-agent.ts";
import { type Content, textOf } from "../core/result.ts";
import type { SessionAction } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import { SessionError } from "../core/session-store.ts";
import { shellWord } from "../platform/text/shell-word.ts";
import { defined } from "../platform/values/defined.ts";
import { isObject } from "../platform/values/is-object.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import { within } from "../platform/waiting/within.ts";
import {
  AgentAttachments,
  type AttachmentParts,
  type AttachmentRequest,
  type TaskOptions,
} from "./agent-attachments.ts";
import { driveAgent } from "./drive-agent.ts";
import type { LocalSession } from "./local-session.ts";
import { messageContent } from "./message-content.ts";
import { storeLink } from "./open-agent-session.ts";
import { RunningTurn, toTurnError } from "./running-turn.ts";
import type { Sessions } from "./sessions.ts";
import type { Prompt, TurnResult } from "./turn.ts";
import { endCalls } from "./turn-calls.ts";
import { TurnRecorder } from "./turn-recorder.ts";
import type { TurnSlots } from "./turn-slots.ts";

/** What the turns of agents need from the toolbox. */
interface TurnsParts extends AttachmentParts {
  readonly sessions: Sessions;
  readonly slots: TurnSlots;
  /** The name of the agent for sessions that name none. */
  readonly defaultAgent: () => string | undefined;
  /** Whether no more turns begin. */
  readonly isStopping: () => boolean;
  readonly notice: (sessionID: string, message: string) => void;
  /** How long an agent may send nothing while no call runs and no question is open. */
  readonly idleMs: () => number;
}

/** Runs the turns of agents: the only place with rules for them. An agent only translates. */
export class Turns {
  readonly #parts: TurnsParts;
  readonly #running = new Set<RunningTurn>();
  /** The sessions for which a tool file has begun a turn that is not yet their running turn. */
  readonly #beginning = new Set<LocalSession>();
  readonly #attachments: AgentAttachments;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
    this.#attachments = new AgentAttachments(parts);
  }

  /**
   * Carries out an action of a tool file on the session of an agent: it stops the turn, or sends a message. A message is a prompt
   * of the running turn, or of a new one. A message that must not start a turn is given to the model with the next prompt.
   */
  act(sessionID: string, action: SessionAction): void {
    const local = this.#parts.sessions.get(sessionID);
    if (action.type === "stop") return local.turn?.abort();
    if (action.type !== "message" && action.type !== "user-message") return;
    const sent = action.type === "message" ? (action.message as { content?: unknown } | null)?.content : action.content;
    const content = messageContent(sent);
    if (!content || !(local.attached || local.turn)) return;
    const { triggerTurn } = (action.options ?? {}) as { readonly triggerTurn?: unknown };
    if (action.type === "message" && triggerTurn !== true) local.notes.push(textOf(content));
    else {
      local.queued.push(content);
      this.#sendQueued(local);
    }
  }

  /** Begins a turn with the first message that waits, unless a turn runs: the others are prompts of the same turn. */
  #sendQueued(local: LocalSession): void {
    if (local.turn || this.#beginning.has(local)) return;
    const content = local.queued.shift();
    if (!content) return;
    this.#beginning.add(local);
    const { id, answerable } = local;
    const begun = new RunningTurn(id, (turn) => this.run(turn, content, { answerable }), undefined);
    void begun.result.then(() => this.#beginning.delete(local));
  }

  /** Aborts the running turn and closes the agent's session. The next turn resumes it. */
  async detach(sessionID: string): Promise<void> {
    const running = [...this.#running].filter((turn) => turn.sessionID === sessionID);
    for (const turn of running) turn.abort();
    await Promise.all(running.map(({ result }) => result));
    await this.#attachments.detach(this.#parts.sessions.get(sessionID));
  }

  /** Interrupts the turns that wait in the queue, waits for the others, and interrupts those that have not ended after `ms`. */
  async stop(ms: number): Promise<void> {
    const waiting = this.#parts.slots.waiting;
    for (const turn of this.#running) if (waiting.includes(turn.sessionID)) turn.interrupt(STOPPED);
    await within(ms, this.#ended());
    for (const turn of this.#running) turn.interrupt(STOPPED);
    await this.#ended();
  }

  async #ended(): Promise<void> {
    await Promise.all([...this.#running].map(({ result }) => result));
  }

  /** Aborts all turns and closes the sessions of all agents. */
  async close(): Promise<void> {
    for (const turn of this.#running) turn.abort();
    await this.#ended();
    await this.#attachments.close();
  }

  /** Sends a prompt to the agent of a session, which is created if it does not exist. */
  async run(turn: RunningTurn, prompt: Prompt, options: TaskOptions): Promise<TurnResult> {
    this.#running.add(turn);
    try {
      return await this.#run(turn, prompt, options);
    } finally {
      this.#running.delete(turn);
    }
  }

  async #run(turn: RunningTurn, prompt: Prompt, options: TaskOptions): Promise<TurnResult> {
    const { sessions } = this.#parts;
    const { sessionID } = turn;
    if (this.#parts.isStopping()) throw new SessionError("stopping", STOPPING);
    const { turn: before } = sessions.get(sessionID);
    if (before && !before.isEnding) throw new SessionError("owned", isRunning(sessionID));
    await before?.result;
    const local = sessions.get(sessionID);
    if (local.turn) throw new SessionError("owned", isRunning(sessionID));
    local.turn = turn;
    if (!this.#beginning.delete(local)) local.todoReminders = 0;
    let result: TurnResult | undefined;
    try {
      result = await this.#converse(turn, await this.#begin(turn, local, prompt, options));
      return result;
    } finally {
      await local.log?.endTurn();
      local.turn = undefined;
      this.#attachments.detachWhenIdle(local);
      // Messages that came after the last prompt of the turn.
      if (result?.ok && !result.aborted) {
        this.#sendQueued(local);
        this.#remind(local);
      } else local.queued.splice(0);
    }
  }

  /** Notifies tool files of to-dos that are open when the agent has stopped. They may send it a prompt, so this has a limit. */
  #remind(local: LocalSession): void {
    const todos = openTodos(local.state.value(TODOS));
    if (local.turn || todos.length === 0 || local.todoReminders >= MAX_REMINDERS) return;
    local.todoReminders += 1;
    const attempt = { attempt: local.todoReminders, maxAttempts: MAX_REMINDERS };
    void this.#parts.tell(local.id, { reason: "todo_reminder", todos, ...attempt });
  }

  /** Claims the session and stores the prompt. A prompt that is refused changes nothing: neither the log, nor who answers questions. */
  async #begin(turn: RunningTurn, local: LocalSession, prompt: Prompt, options: TaskOptions): Promise<BegunTurn> {
    const { sessions, defaultAgent } = this.#parts;
    const { sessionID } = turn;
    const { directory, title, model, parent, answerable = false, mustExist = false } = options;
    const named = options.agent ?? defaultAgent();
    const header = { directory, title, model, parent, agent: named };
    const info = await sessions.open(sessionID, { ...defined(header), mustExist });
    const agent = options.agent ?? info.agent ?? named;
    if (agent === undefined) throw new AgentError("unknown_agent", NO_AGENT_NAMED);
    if (!local.log) throw new SessionError("owned", isRunning(sessionID));
    const { hasMessages: hasHistory } = local.state;
    const content = typeof prompt === "string" ? [{ type: "text", text: prompt } as const] : prompt;
    const messageID = crypto.randomUUID();
    const begun = await local.log.beginTurn([
      ...choicesOf(local, options),
      { type: "message.user", messageID, content },
    ]);
    sessions.chooseAsking(sessionID, { callerIsAsked: false, answerable });
    local.isOverHttp = options.overHttp ?? local.isOverHttp;
    local.conversation?.add({ type: "message.user", messageID, content });
    // The mode of a task is that of the session that delegates it: it is no choice for this one.
    if (options.mode !== undefined && !options.parent) local.chosenMode = options.mode;
    const store = await sessions.store();
    turn.begin(store, begun - 1);
    const earlier = { store, before: begun - 1, hasHistory };
    return { local, info, agent, content, messageID, earlier, options };
  }

  /** Runs the agent, and ends the turn with one event. Rejects only if that event cannot be stored. */
  async #converse(turn: RunningTurn, begun: BegunTurn): Promise<TurnResult> {
    const { local } = begun;
    const recorder = new TurnRecorder(
      {
        append: async (event) => void (await local.record(event)),
        publish: (event) => local.log?.publish(event),
        tell: (event) => void this.#parts.tell(local.id, event),
        notice: (message) => this.#parts.notice(local.id, message),
      },
      begun.messageID,
    );
    const abortCalls = (): void => {
      const runs = turn.superseded ? (local.attached?.current.turn?.calls ?? []) : local.runs;
      for (const run of runs) run.abort();
    };
    turn.signal.addEventListener("abort", abortCalls);
    try {
      const drive = (): Promise<TurnResult & { ok: true }> => this.#drive(turn, begun, recorder);
      // The turn of a sub-agent is part of the turn that waits for it.
      const driven = begun.options.parent ? drive() : this.#parts.slots.run(local.id, turn.signal, drive);
      const result = (await driven) ?? NOT_BEGUN;
      if (turn.superseded) throw turn.superseded;
      turn.isEnding = true;
      await local.record(endOf(result, turn.interruption));
      return result;
    } catch (error) {
      // The end of the turn is recorded, even if what the agent has left open cannot be.
      if (!turn.superseded) await recorder.finish().catch(() => {});
      await this.#attachments.detach(local);
      if (turn.superseded) throw turn.superseded;
      const failure = toTurnError(error);
      turn.isEnding = true;
      await local.record({ type: "session.error", ...failure });
      return { ok: false, text: recorder.text, error: failure };
    } finally {
      turn.signal.removeEventListener("abort", abortCalls);
    }
  }

  /** Rejects if the agent cannot be started, or the turn failed. */
  async #drive(turn: RunningTurn, begun: BegunTurn, recorder: TurnRecorder): Promise<TurnResult & { ok: true }> {
    const { local, content } = begun;
    const attached = await untilAborted(turn.signal, () => this.#attachments.attach(begun, turn.signal));
    if (!attached) return NOT_BEGUN;
    const { agent, session, current } = attached;
    const calls = new Set<AgentRun>();
    current.turn = { recorder, signal: turn.signal, calls, permits: 0 };
    try {
      let next: readonly Content[] | undefined = content;
      while (next) {
        const notes = [...(attached.preamble === undefined ? [] : [attached.preamble]), ...local.notes.splice(0)];
        attached.preamble = undefined;
        const text = notes.join("\n\n");
        const prompt: readonly Content[] = notes.length === 0 ? next : [{ type: "text", text }, ...next];
        const isUsable = await driveAgent({
          agent: agent.name,
          session,
          prompt,
          record: (event) => recorder.record(event),
          signal: turn.signal,
          isWaiting: () => recorder.hasOpenCalls || local.runs.size > 0 || (current.turn?.permits ?? 0) > 0,
          idleMs: this.#parts.idleMs(),
        }).catch((error: unknown) => {
          // The agent may not have them.
          local.notes.unshift(...notes);
          throw error;
        });
        await storeLink(local, attached);
        if (!isUsable) await this.#attachments.detach(local);
        next = turn.signal.aborted ? undefined : await this.#nextPrompt(local, recorder);
      }
    } finally {
      current.turn = undefined;
      await endCalls(calls);
    }
    await recorder.finish();
    const aborted = turn.signal.aborted ? ({ aborted: true } as const) : {};
    return { ok: true, text: recorder.text, usage: recorder.usage, ...aborted };
  }

  /** The next prompt that a tool file has sent during the turn, recorded. */
  async #nextPrompt(local: LocalSession, recorder: TurnRecorder): Promise<readonly Content[] | undefined> {
    const content = local.queued.shift();
    if (!content) return undefined;
    const messageID = crypto.randomUUID();
    await local.record({ type: "message.user", messageID, content });
    recorder.beginPrompt(messageID);
    return content;
  }
}

/** The value of the tool `todowrite` in a session. */
const TODOS = "todos";
const OPEN: ReadonlySet<unknown> = new Set(["pending", "in_progress"]);
const MAX_REMINDERS = 3;

function openTodos(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored.filter((each) => isObject(each) && OPEN.has(each.status)) : [];
}

/** A turn whose prompt is in the log. */
interface BegunTurn extends AttachmentRequest {
  readonly content: readonly Content[];
  readonly messageID: string;
}

/** A turn that was aborted before the agent was reached. */
const NOT_BEGUN: TurnResult & { ok: true } = { ok: true, text: "", usage: {}, aborted: true };

const STOPPED = "The program that ran this session was stopped before the turn had ended. Send a message to continue.";

const STOPPING =
  "This program is stopping and begins no more turns. Send the message again when it has been restarted.";

function isRunning(sessionID: string): string {
  return `A turn of the session "${sessionID}" is running. Wait for its end, or cancel it: toolwright sessions cancel ${shellWord(sessionID)}`;
}

/** The events that store the choices of a person for the session, if they change them. */
function choicesOf({ state }: LocalSession, { mode, tools, parent }: TaskOptions): DurableEvent[] {
  // The tools of a sub-agent are chosen for each task.
  const isKnown = parent !== undefined || isSame(tools, state.tools);
  const choices = { ...(mode === state.mode ? {} : { mode }), ...(isKnown ? {} : { tools }) };
  return Object.entries(choices)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ type: "state.set", of: "session", key, value }));
}

function isSame(first: readonly string[] | undefined, second: readonly string[] | undefined): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

function endOf({ text, aborted }: TurnResult & { ok: true }, interruption: string | undefined): DurableEvent {
  if (aborted && interruption !== undefined) {
    // The calls have ended, and the questions were withdrawn.
    return { type: "session.interrupted", reason: interruption, calls: [], questions: [] };
  }
  return { type: "session.idle", ...(text === "" ? {} : { text }), ...(aborted ? { aborted } : {}) };
}
