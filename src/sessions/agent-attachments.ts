import type { AskingForeignCall } from "../calls/ask-foreign.ts";
import type { ForeignCall } from "../calls/permit-foreign.ts";
import { AgentError, notReady } from "../core/agent-error.ts";
import type {
  CodingAgent,
  DialogAnswer,
  DialogRequest,
  PermitAnswer,
  PermitRequest,
  SessionTools,
} from "../core/coding-agent.ts";
import type { Mode } from "../core/permission-mode.ts";
import type { SessionEvent } from "../core/session.ts";
import type { SessionHeader, SessionInfo } from "../core/session-log.ts";
import { defined } from "../platform/values/defined.ts";
import { unlessAborted } from "../platform/waiting/until-aborted.ts";
import { within } from "../platform/waiting/within.ts";
import type { AttachedAgent, CurrentTurn, LocalSession } from "./local-session.ts";
import { readMessages } from "./message-entries.ts";
import { type EarlierConversation, openAgentSession, storeLink } from "./open-agent-session.ts";
import type { SubAgentLimits } from "./sub-agent-limits.ts";
import type { SendOptions } from "./turn.ts";

/** What the sessions of agents need from the toolbox. */
export interface AttachmentParts {
  /** The started agent of this name. Rejects with an `AgentError`. After the signal has fired, a later call starts it again. */
  readonly agent: (name: string, signal: AbortSignal) => Promise<CodingAgent>;
  /** Discovers the tools again, pins them for the session, and notifies tool files of the start. */
  readonly begin: (sessionID: string, resumed: boolean) => Promise<void>;
  /** Notifies tool files. Never rejects. */
  readonly tell: (sessionID: string, event: SessionEvent) => Promise<void>;
  /** Rejects with an `AgentError`. */
  readonly tools: (view: SessionAgent) => Promise<SessionTools>;
  /** The text for the model of a kind of sub-agent. */
  readonly promptOf: (kind: string) => string | undefined;
  /** Never rejects. */
  readonly permit: (call: ForeignCall) => Promise<PermitAnswer>;
  /** Never rejects. */
  readonly ask: (call: AskingForeignCall) => Promise<DialogAnswer>;
}

/** How to run a turn of a sub-agent. */
export interface TaskOptions extends Omit<SendOptions, "mode"> {
  readonly mode?: Mode;
  /** The name of the sub-agent, for permission rules and the context of its calls. */
  readonly name?: string;
  /** The call that delegated the task. */
  readonly parent?: SessionHeader["parent"];
}

/** The session that an agent is attached to. */
export interface AttachmentRequest {
  readonly local: LocalSession;
  readonly info: SessionInfo;
  readonly agent: string;
  readonly earlier: EarlierConversation;
  readonly options: TaskOptions;
}

/** An agent in a session: what it is shown, and the context of its calls. */
export interface SessionAgent {
  readonly sessionID: string;
  readonly agent: CodingAgent;
  /** Its name for permission rules and the context of its calls: that of the agent, or of the sub-agent. */
  readonly name: string;
  /** The only tools that it is shown. */
  readonly only: readonly string[] | undefined;
  /** What limits a sub-agent beside that. */
  readonly limits: () => SubAgentLimits | undefined;
  /** Whether it works on a task of another agent. */
  readonly isSubAgent: boolean;
  readonly directory: string;
  readonly model: string | undefined;
  readonly builtins: boolean | readonly string[];
  /** The running turn: new calls belong to the last message of its model. */
  readonly current: AttachedAgent["current"];
}

/** The options of an agent's session. */
interface ChosenOptions {
  readonly name: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly builtins: TaskOptions["builtins"] | undefined;
  readonly systemPrompt: string | undefined;
  readonly tools: readonly string[] | undefined;
  /** All of them, as JSON. */
  readonly key: string;
}

/** A session that is being opened. */
interface Opening {
  readonly attaching: Promise<AttachedAgent>;
  readonly giveUp: (error: AgentError) => void;
}

/** How long the session of an agent stays open without a turn. Its processes use memory. The next turn resumes it. */
const KEEP_MS = 5 * 60_000;
/** The maximum number of sessions of agents that stay open without a turn. The least recently used ones are closed. */
const MAX_IDLE = 20;
/** How long an agent may take to close a session. Its process may hang. */
const CLOSE_MS = 10_000;
/** How long an agent may take to open a session. */
const OPEN_MS = 180_000;
/** How long sessions that are being opened are waited for when all are closed. */
const LATE_MS = 5_000;

/** The sessions of agents that run sessions of ours in this process. */
export class AgentAttachments {
  readonly #parts: AttachmentParts;
  readonly #attached = new Set<LocalSession>();
  readonly #opening = new Map<LocalSession, Opening>();
  /** Openings that were given up, and have not ended: what they bring is closed. */
  readonly #late = new Set<Promise<unknown>>();
  /** The sessions that are being closed. They can be resumed after that. */
  readonly #closing = new Map<LocalSession, Promise<void>>();
  #isClosed = false;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  /**
   * The agent's session: that of the last turn, if the options are the same, else one that is created or resumed. Rejects if that
   * takes too long, or if the signal fires: the opening is then given up, and the next one does not wait for the agent.
   */
  async attach(attachment: AttachmentRequest, signal: AbortSignal): Promise<AttachedAgent> {
    const { local, agent } = attachment;
    const before = this.#opening.get(local);
    const given = new AbortController();
    const giveUp = (error: AgentError): void => given.abort(error);
    const abort = (): void =>
      giveUp(new AgentError("not_started", "The turn was aborted before the agent had started."));
    const timer = setTimeout(() => giveUp(notReady(agent, OPEN_MS)), OPEN_MS);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const attaching = (before?.attaching.catch(() => {}) ?? Promise.resolve()).then(() =>
      this.#attach(attachment, given.signal),
    );
    const opening = { attaching, giveUp };
    this.#opening.set(local, opening);
    try {
      return await attaching;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      if (this.#opening.get(local) === opening) this.#opening.delete(local);
    }
  }

  /** Closes the agent's session. The next turn resumes it. */
  async detach(local: LocalSession): Promise<void> {
    const { attached } = local;
    if (!attached) return this.#closing.get(local);
    local.attached = undefined;
    this.#attached.delete(local);
    clearTimeout(attached.idle);
    const closing = this.#close(local, attached).finally(() => this.#closing.delete(local));
    this.#closing.set(local, closing);
    await closing;
  }

  /** Closes the agent's session if no turn begins for a long time, or if too many others are idle too. */
  detachWhenIdle(local: LocalSession): void {
    const { attached } = local;
    if (!attached) return;
    clearTimeout(attached.idle);
    attached.idle = setTimeout(() => local.turn || void this.detach(local), KEEP_MS).unref();
    this.#attached.delete(local);
    this.#attached.add(local);
    const idle = [...this.#attached].filter(({ turn }) => !turn);
    for (const oldest of idle.slice(0, -MAX_IDLE)) void this.detach(oldest);
  }

  /** Agents can be stopped after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opening = [...this.#opening.values()];
    for (const { giveUp } of opening) giveUp(closed());
    await Promise.all([...this.#attached, ...this.#closing.keys()].map((local) => this.detach(local)));
    await within(LATE_MS, Promise.allSettled([...opening.map(({ attaching }) => attaching), ...this.#late]));
  }

  async #close(local: LocalSession, { session }: AttachedAgent): Promise<void> {
    await within(CLOSE_MS, session.close()).catch(() => {});
    await this.#parts.tell(local.id, { reason: "shutdown" });
  }

  /** Waits for the agent until the signal fires. `close` ends what it brings after that. */
  #unlessGivenUp<T>(
    signal: AbortSignal,
    work: Promise<T>,
    close: (value: T) => Promise<unknown> = async () => {},
  ): Promise<T> {
    const late = work.then((value) => (signal.aborted ? within(CLOSE_MS, close(value)) : undefined));
    const settled = late.catch(() => {}).finally(() => this.#late.delete(settled));
    this.#late.add(settled);
    return unlessAborted(signal, work);
  }

  async #attach(request: AttachmentRequest, signal: AbortSignal): Promise<AttachedAgent> {
    const { local, agent: name, earlier, options } = request;
    if (this.#isClosed) throw closed();
    signal.throwIfAborted();
    const before = local.attached;
    const chosen = this.#choose(request);
    if (before && (before.key === chosen.key || (before.agent.name === name && isEmpty(options)))) return before;
    await this.detach(local);
    const agent = await this.#unlessGivenUp(signal, this.#parts.agent(name, signal));
    local.conversation ??= await readMessages(earlier.store, local.id);
    await this.#parts.begin(local.id, earlier.hasHistory);
    signal.throwIfAborted();
    const attached = await this.#open(agent, request, chosen, signal);
    local.attached = attached;
    this.#attached.add(local);
    // The turn may have been aborted meanwhile.
    this.detachWhenIdle(local);
    await storeLink(local, attached);
    return attached;
  }

  /** What applies to the agent's session: the options of the turn, else what was stored for the session or set for its kind. */
  #choose({ local, info, agent, options }: AttachmentRequest): ChosenOptions {
    const { baseUrl, builtins, name } = options;
    const kind = local.limits?.agents[0];
    const systemPrompt = options.systemPrompt ?? (kind === undefined ? undefined : this.#parts.promptOf(kind));
    const model = options.model ?? (info.agent === agent ? info.model : undefined);
    const tools = options.tools ?? local.state.tools;
    const key = JSON.stringify([agent, model, baseUrl, systemPrompt, builtins, name, tools, local.isOverHttp]);
    return { name: name ?? kind ?? agent, model, baseUrl, systemPrompt, builtins, tools, key };
  }

  async #open(
    agent: CodingAgent,
    { local, info: { directory, parent }, earlier }: AttachmentRequest,
    { name, model, baseUrl, systemPrompt, builtins = defaultBuiltins(agent, local), tools, key }: ChosenOptions,
    signal: AbortSignal,
  ): Promise<AttachedAgent> {
    const current: AttachedAgent["current"] = { turn: undefined };
    const sessionID = local.id;
    const isSubAgent = parent !== undefined;
    const limits = (): SubAgentLimits | undefined => local.limits;
    const view = { sessionID, agent, name, only: tools, limits, isSubAgent, directory, model, builtins, current };
    const options = {
      sessionID,
      directory,
      ...defined({ model, baseUrl, systemPrompt }),
      tools: await this.#parts.tools(view),
      signal,
      permit: (request: PermitRequest) => this.#permit(view, request),
      ask: (request: DialogRequest) => this.#ask(view, request),
    };
    const opening = openAgentSession(agent, local, options, earlier);
    const opened = await this.#unlessGivenUp(signal, opening, ({ session }) => session.close());
    const named = defined({ provider: agent.provider, id: model });
    const shown = { ...defined({ tools }), builtins };
    return { agent, key, current, model: named, systemPrompt, shown, idle: undefined, ...opened };
  }

  /** Only a running turn may ask: its log has the question, and its end withdraws it. */
  async #permit(view: SessionAgent, { access, ...request }: PermitRequest): Promise<PermitAnswer> {
    const { turn } = view.current;
    if (!turn) return { allowed: false, reason: TURN_OVER };
    const answer = await whileWaiting(turn, () => this.#parts.permit({ ...foreignCall(view, turn, request), access }));
    if (!answer.allowed && answer.allowable) turn.recorder.markAllowable(request.callID);
    return answer;
  }

  /** As for permissions, only a running turn may ask. */
  async #ask(view: SessionAgent, { title, dialog, ...request }: DialogRequest): Promise<DialogAnswer> {
    const { turn } = view.current;
    if (!turn) return { kind: "closed", reason: TURN_OVER };
    return whileWaiting(turn, () => this.#parts.ask({ ...foreignCall(view, turn, request), title, dialog }));
  }
}

function defaultBuiltins(
  { builtins, httpBuiltins }: CodingAgent,
  { isOverHttp }: LocalSession,
): SessionAgent["builtins"] {
  return (isOverHttp ? httpBuiltins : undefined) ?? builtins;
}

const TURN_OVER = "The turn of this call is over.";

/** The turn waits for a person, and not for the agent. */
async function whileWaiting<T>(turn: CurrentTurn, ask: () => Promise<T>): Promise<T> {
  turn.permits += 1;
  try {
    return await ask();
  } finally {
    turn.permits -= 1;
  }
}

function foreignCall(
  { sessionID, directory, name: agent, agent: { name } }: SessionAgent,
  { recorder: { messageID }, signal }: CurrentTurn,
  request: Omit<PermitRequest, "access">,
): Omit<ForeignCall, "access"> {
  const { callID, input, tool } = request;
  const signals = request.signal ? AbortSignal.any([signal, request.signal]) : signal;
  return { callID, name: `${name}:${tool}`, input, sessionID, messageID, agent, directory, signal: signals };
}

/** Whether the options leave all that concerns the agent's session as it is. */
function isEmpty({ model, baseUrl, systemPrompt, builtins, name, tools }: TaskOptions): boolean {
  return [model, baseUrl, systemPrompt, builtins, name, tools].every((option) => option === undefined);
}

function closed(): AgentError {
  return new AgentError("not_started", "The toolbox was closed before the agent had started. Open a new one.");
}
