import { AgentError } from "../core/agent-error.ts";
import type {
  AgentSessionOptions,
  CodingAgent,
  PermitAnswer,
  PermitRequest,
  SessionTools,
} from "../core/coding-agent.ts";
import { defined } from "../core/defined.ts";
import type { SessionEvent } from "../core/session.ts";
import type { SessionHeader, SessionInfo } from "../core/session-log.ts";
import { type EarlierConversation, openAgentSession, storeLink } from "./attached-agent.ts";
import type { AttachedAgent, LocalSession } from "./local-session.ts";
import { readMessages } from "./message-entries.ts";
import { sessionHistory } from "./session-history.ts";
import type { SendOptions } from "./turn.ts";
import { withinTurns } from "./turn-calls.ts";

/** What the sessions of agents need from the toolbox. */
export interface AttachmentParts {
  /** The agent of this name. Rejects with an `AgentError`. */
  readonly agent: (name: string) => Promise<CodingAgent>;
  /** Discovers the tools again, pins them for the session, and notifies tool files of the start. */
  readonly begin: (sessionID: string, resumed: boolean) => Promise<void>;
  /** Notifies tool files. Never rejects. */
  readonly tell: (sessionID: string, event: SessionEvent) => Promise<void>;
  readonly tools: (view: AgentView) => SessionTools;
  /** Never rejects. */
  readonly permit: (view: AgentView, request: PermitRequest, signal: AbortSignal) => Promise<PermitAnswer>;
}

/** How to run a turn of a sub-agent. */
export interface TaskOptions extends SendOptions {
  /** The name of the sub-agent, for permission rules and the context of its calls. */
  readonly name?: string;
  /** The call that delegated the task. */
  readonly parent?: SessionHeader["parent"];
}

/** The session that an agent is attached to. */
export interface Attachment {
  readonly local: LocalSession;
  readonly info: SessionInfo;
  /** The name of the agent. */
  readonly agent: string;
  readonly earlier: EarlierConversation;
  readonly options: TaskOptions;
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

/** How long the session of an agent stays open without a turn. Its processes use memory. The next turn resumes it. */
const KEEP_MS = 5 * 60_000;
/** The maximum number of sessions of agents that stay open without a turn. The least recently used ones are closed. */
const MAX_IDLE = 20;
/** How long an agent may take to close a session. Its process may hang. */
const CLOSE_MS = 10_000;
/** How long sessions that are being opened are waited for when all are closed. */
const OPENING_MS = 5_000;

/** The sessions of agents that run sessions of ours in this process. */
export class AgentAttachments {
  readonly #parts: AttachmentParts;
  readonly #attached = new Set<LocalSession>();
  /** The sessions that are being opened. An aborted turn does not wait for them. */
  readonly #attaching = new Map<string, Promise<AttachedAgent>>();
  /** The sessions that are being closed. They can be resumed after that. */
  readonly #closing = new Map<LocalSession, Promise<void>>();
  #isClosed = false;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  /**
   * The agent's session: that of the last turn, if the options are the same, else one that is created or resumed. Opens one at a
   * time: an aborted turn may still be opening one.
   */
  attach(attachment: Attachment): Promise<AttachedAgent> {
    const { id } = attachment.local;
    const before = this.#attaching.get(id)?.catch(() => {}) ?? Promise.resolve();
    const attaching = before
      .then(() => this.#attach(attachment))
      .finally(() => {
        if (this.#attaching.get(id) === attaching) this.#attaching.delete(id);
      });
    this.#attaching.set(id, attaching);
    return attaching;
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
    await Promise.all([...this.#attached, ...this.#closing.keys()].map((local) => this.detach(local)));
    await within(OPENING_MS, Promise.allSettled(this.#attaching.values()));
  }

  async #close(local: LocalSession, { session }: AttachedAgent): Promise<void> {
    await within(CLOSE_MS, session.close());
    await this.#parts.tell(local.id, { reason: "shutdown" });
  }

  async #attach({ local, info, agent: name, earlier, options }: Attachment): Promise<AttachedAgent> {
    const { baseUrl, systemPrompt, builtins } = options;
    const before = local.attached;
    if (this.#isClosed) throw closed();
    const model = options.model ?? (info.agent === name ? info.model : undefined);
    const isSubAgent = info.parent !== undefined;
    const tools = options.tools ?? local.state.tools;
    const key = JSON.stringify([name, model, baseUrl, systemPrompt, builtins, options.name, tools]);
    if (before && (before.key === key || (before.agent.name === name && isEmpty(options)))) return before;
    await this.detach(local);
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
      only: tools,
      isSubAgent,
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
      shown: { ...defined({ tools }), builtins: view.builtins },
      idle: undefined,
      ...opened,
    };
    if (this.#isClosed) {
      await opened.session.close();
      throw closed();
    }
    local.attached = attached;
    this.#attached.add(local);
    // The turn may have been aborted meanwhile.
    this.detachWhenIdle(local);
    await storeLink(local, attached);
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

/** Whether the options leave all that concerns the agent's session as it is. */
function isEmpty({ model, baseUrl, systemPrompt, builtins, name, tools }: TaskOptions): boolean {
  return [model, baseUrl, systemPrompt, builtins, name, tools].every((option) => option === undefined);
}

/** Waits for work that never rejects, but not for longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function closed(): AgentError {
  return new AgentError("not_started", "The toolbox was closed before the agent had started. Open a new one.");
}
