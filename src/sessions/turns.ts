import { AgentError } from "../core/agent-error.ts";
import type {
  AgentRun,
  AgentSessionOptions,
  CodingAgent,
  PermitAnswer,
  PermitRequest,
  SessionTools,
} from "../core/coding-agent.ts";
import { type Content, textOf } from "../core/result.ts";
import type { SessionAction, SessionEvent } from "../core/session.ts";
import type { DurableEvent, SessionHeader, SessionInfo } from "../core/session-log.ts";
import { SessionError } from "../core/session-store.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { type EarlierConversation, openAgentSession, storeLink } from "./attached-agent.ts";
import { driveAgent } from "./drive-agent.ts";
import type { AttachedAgent, LocalSession } from "./local-session.ts";
import { messageContent } from "./message-content.ts";
import { readMessages } from "./message-entries.ts";
import { RunningTurn, toTurnError } from "./running-turn.ts";
import { sessionHistory } from "./session-history.ts";
import type { Sessions } from "./sessions.ts";
import type { Prompt, SendOptions, TurnResult } from "./turn.ts";
import { endCalls, withinTurns } from "./turn-calls.ts";
import { TurnRecorder } from "./turn-recorder.ts";

/** What the turns of agents need from the toolbox. */
export interface TurnsParts {
  readonly sessions: Sessions;
  /** The name of the agent for sessions that name none. */
  readonly defaultAgent: () => string | undefined;
  /** The agent of this name. Rejects with an `AgentError`. */
  readonly agent: (name: string) => Promise<CodingAgent>;
  /** Discovers the tools again, pins them for the session, and notifies tool files of the start. */
  readonly begin: (sessionID: string, resumed: boolean) => Promise<void>;
  /** Notifies tool files. Never rejects. */
  readonly tell: (sessionID: string, event: SessionEvent) => Promise<void>;
  readonly notice: (sessionID: string, message: string) => void;
  readonly tools: (view: AgentView) => SessionTools;
  /** Never rejects. */
  readonly permit: (view: AgentView, request: PermitRequest, signal: AbortSignal) => Promise<PermitAnswer>;
  /** How long an agent may send nothing while no call runs and no question is open. */
  readonly idleMs: () => number;
}

/** How to run a turn of a sub-agent. */
export interface TaskOptions extends SendOptions {
  /** The name of the sub-agent, for permission rules and the context of its calls. */
  readonly name?: string;
  /** The only tools that it is shown, beside the agent's own. Names may have wildcards. */
  readonly tools?: readonly string[];
  /** The call that delegated the task. */
  readonly parent?: SessionHeader["parent"];
}

/** An agent in a session: what it is shown, and the context of its calls. */
export interface AgentView {
  readonly sessionID: string;
  readonly agent: CodingAgent;
  /** Its name for permission rules and the context of its calls: that of the agent, or of the sub-agent. */
  readonly name: string;
  /** The only tools that it is shown. */
  readonly only: readonly string[] | undefined;
  /** Whether it works on a task of another agent. */
  readonly isSubAgent: boolean;
  readonly directory: string;
  readonly model: string | undefined;
  readonly builtins: boolean | readonly string[];
  /** The message of the model to which a new call belongs. */
  readonly messageID: () => string;
}

/** Runs the turns of agents: the only place with rules for them. An agent only translates. */
export class Turns {
  readonly #parts: TurnsParts;
  readonly #running = new Set<RunningTurn>();
  /** The sessions with an attached agent. */
  readonly #attached = new Set<LocalSession>();
  /** The agents' sessions that are being opened. An aborted turn does not wait for them. */
  readonly #attaching = new Map<string, Promise<AttachedAgent>>();
  #isClosed = false;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
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
    const { attached } = local;
    if (!content || !attached) return;
    const { triggerTurn } = (action.options ?? {}) as { readonly triggerTurn?: unknown };
    if (action.type === "message" && triggerTurn !== true) {
      attached.preamble = [attached.preamble, textOf(content)].filter((text) => text !== undefined).join("\n\n");
    } else if (local.turn) local.queued.push(content);
    else void new RunningTurn(sessionID, (turn) => this.run(turn, content, {}), undefined);
  }

  /** Closes the agent's session. The next turn resumes it. */
  async detach(sessionID: string): Promise<void> {
    const local = this.#parts.sessions.get(sessionID);
    const { attached } = local;
    local.attached = undefined;
    this.#attached.delete(local);
    if (!attached) return;
    await attached.session.close();
    await this.#parts.tell(sessionID, { reason: "shutdown" });
  }

  /** Aborts all turns and closes the sessions of all agents. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const turn of this.#running) turn.abort();
    await Promise.all([...this.#running].map(({ result }) => result));
    await Promise.all([...this.#attached].map(({ id }) => this.detach(id)));
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
    const { sessions, defaultAgent } = this.#parts;
    const { sessionID } = turn;
    const { directory, title, model, parent, answerable = false } = options;
    const named = options.agent ?? defaultAgent();
    const header = { directory, title, model, parent, agent: named };
    const info = await sessions.open(sessionID, { ...defined(header), callerIsAsked: false, answerable });
    const agent = options.agent ?? info.agent ?? named;
    if (agent === undefined) throw new AgentError("unknown_agent", NO_AGENT);
    const local = sessions.get(sessionID);
    if (local.turn || !local.log) throw new SessionError("owned", isRunning(sessionID));
    local.turn = turn;
    try {
      const { hasMessages: hasHistory } = local.state;
      const content = typeof prompt === "string" ? [{ type: "text", text: prompt } as const] : prompt;
      const messageID = crypto.randomUUID();
      const begun = await local.log.beginTurn([{ type: "message.user", messageID, content }]);
      local.conversation?.add({ type: "message.user", messageID, content });
      const store = await sessions.store();
      turn.begin(store, begun - 1);
      const earlier = { store, before: begun - 1, hasHistory };
      return await this.#converse(turn, { local, info, agent, content, messageID, earlier, options });
    } finally {
      local.turn = undefined;
      await local.log.endTurn();
    }
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
      for (const run of local.runs) run.abort();
    };
    turn.signal.addEventListener("abort", abortCalls);
    try {
      const result = await this.#drive(turn, begun, recorder);
      await local.record(endOf(result));
      return result;
    } catch (error) {
      await recorder.finish();
      await this.detach(local.id);
      const failure = toTurnError(error);
      await local.record({ type: "session.error", ...failure });
      return { ok: false, text: recorder.text, error: failure };
    } finally {
      turn.signal.removeEventListener("abort", abortCalls);
    }
  }

  /** Rejects if the agent cannot be started, or the turn failed. */
  async #drive(turn: RunningTurn, begun: BegunTurn, recorder: TurnRecorder): Promise<TurnResult & { ok: true }> {
    const { local, content } = begun;
    const attached = await untilAborted(turn.signal, () => this.#attachNext(begun));
    if (!attached) return { ok: true, text: "", usage: {}, aborted: true };
    const { agent, session, current } = attached;
    const calls = new Set<AgentRun>();
    current.turn = { recorder, signal: turn.signal, calls, permits: 0 };
    try {
      let next: readonly Content[] | undefined = content;
      while (next) {
        const { preamble } = attached;
        // A tool file may add one during the turn, for the next prompt.
        attached.preamble = undefined;
        const prompt: readonly Content[] = preamble === undefined ? next : [{ type: "text", text: preamble }, ...next];
        const isUsable = await driveAgent({
          agent: agent.name,
          session,
          prompt,
          record: (event) => recorder.record(event),
          signal: turn.signal,
          isWaiting: () => recorder.hasOpenCalls || local.runs.size > 0 || (current.turn?.permits ?? 0) > 0,
          idleMs: this.#parts.idleMs(),
        });
        await storeLink(local, agent, session);
        if (!isUsable) await this.detach(local.id);
        next = turn.signal.aborted ? undefined : await this.#nextPrompt(local, recorder);
      }
    } finally {
      current.turn = undefined;
      local.queued.splice(0);
      await endCalls(calls);
    }
    await recorder.finish();
    const aborted = turn.signal.aborted ? ({ aborted: true } as const) : {};
    return { ok: true, text: recorder.text, usage: session.usage, ...aborted };
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

  /** Opens one session of an agent at a time: an aborted turn may still be opening one. */
  #attachNext(begun: BegunTurn): Promise<AttachedAgent> {
    const { id } = begun.local;
    const before = this.#attaching.get(id)?.catch(() => {}) ?? Promise.resolve();
    const attaching = before
      .then(() => this.#attach(begun))
      .finally(() => {
        if (this.#attaching.get(id) === attaching) this.#attaching.delete(id);
      });
    this.#attaching.set(id, attaching);
    return attaching;
  }

  /** The agent's session: that of the last turn, if the options are the same, else one that is created or resumed. */
  async #attach({ local, info, agent: name, earlier, options }: BegunTurn): Promise<AttachedAgent> {
    const { baseUrl, systemPrompt, builtins } = options;
    const before = local.attached;
    const model = options.model ?? (info.agent === name ? info.model : undefined);
    const key = JSON.stringify([name, model, baseUrl, systemPrompt, builtins]);
    if (before && (before.key === key || (before.agent.name === name && isEmpty(options)))) return before;
    await this.detach(local.id);
    const agent = await this.#parts.agent(name);
    await agent.start();
    local.conversation ??= await readMessages(earlier.store, local.id);
    await this.#parts.begin(local.id, earlier.hasHistory);
    const { directory } = info;
    const current: AttachedAgent["current"] = { turn: undefined };
    const view: AgentView = {
      sessionID: local.id,
      agent,
      name: options.name ?? name,
      only: options.tools,
      isSubAgent: options.parent !== undefined,
      directory,
      model,
      builtins: builtins ?? agent.builtins,
      messageID: () => current.turn?.recorder.messageID ?? "",
    };
    const opened = await openAgentSession(
      agent,
      local,
      {
        sessionID: local.id,
        directory,
        ...defined({ model, baseUrl, systemPrompt }),
        tools: withinTurns(this.#parts.tools(view), current),
        history: sessionHistory(earlier.store, local),
        permit: (request) => this.#permit(view, request, current),
      } as AgentSessionOptions,
      earlier,
    );
    const attached: AttachedAgent = {
      agent,
      key,
      current,
      model: defined({ provider: agent.provider, id: model }),
      systemPrompt,
      ...opened,
    };
    if (this.#isClosed) {
      await opened.session.close();
      throw new AgentError("not_started", "The toolbox was closed while the agent was starting.");
    }
    local.attached = attached;
    this.#attached.add(local);
    await storeLink(local, agent, opened.session);
    return attached;
  }

  /** Only a running turn may ask: its log has the question, and its end withdraws it. */
  async #permit(view: AgentView, request: PermitRequest, { turn }: AttachedAgent["current"]): Promise<PermitAnswer> {
    if (!turn) return { allowed: false, reason: "The turn of this call is over." };
    turn.permits += 1;
    try {
      const signal = request.signal ? AbortSignal.any([turn.signal, request.signal]) : turn.signal;
      return await this.#parts.permit(view, request, signal);
    } finally {
      turn.permits -= 1;
    }
  }
}

/** A turn whose prompt is in the log. */
interface BegunTurn {
  readonly local: LocalSession;
  readonly info: SessionInfo;
  /** The name of its agent. */
  readonly agent: string;
  readonly content: readonly Content[];
  readonly messageID: string;
  readonly earlier: EarlierConversation;
  readonly options: TaskOptions;
}

const NO_AGENT =
  'No agent is named. Name one (--agent, or the option "agent"), or set "agents": { "default": "NAME" } in your settings.';

function isRunning(sessionID: string): string {
  return `A turn of the session "${sessionID}" is running. Wait for its end, or cancel it.`;
}

function endOf({ text, aborted }: TurnResult & { ok: true }): DurableEvent {
  return { type: "session.idle", ...(text === "" ? {} : { text }), ...(aborted ? { aborted } : {}) };
}

/** Whether the options leave all that concerns the agent's session as it is. */
function isEmpty({ model, baseUrl, systemPrompt, builtins }: SendOptions): boolean {
  return [model, baseUrl, systemPrompt, builtins].every((option) => option === undefined);
}

/** Without the properties that are undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
