import type {
  AgentCall,
  AgentEvent,
  AgentRun,
  AgentSession,
  AgentSessionOptions,
  AgentTool,
  CodingAgent,
  CodingAgentEvents,
  RegisteredTool,
  SessionTools,
} from "../../core/coding-agent.ts";
import type { Content } from "../../core/result.ts";
import { Listeners } from "../../platform/values/listeners.ts";
import { SharedStart } from "../../platform/waiting/shared-start.ts";
import { within } from "../../platform/waiting/within.ts";
import type { AgentPackage, AgentProgram } from "./agent-packages.ts";

/** The part of a coding agent that depends on its SDK or program. Methods reject with an `AgentError`. */
export interface AgentAdapter
  extends Pick<CodingAgent, "name" | "builtins" | "httpBuiltins" | "keepsHistory" | "provider"> {
  /** What must be installed, for `toolwright agents`: `start` finds it itself. */
  readonly needs: readonly (AgentPackage | AgentProgram)[];
  /** Loads its SDK, or finds its program. Called once, and again after an error. */
  start(): Promise<void>;
  /** Ends its processes. All sessions are closed. */
  stop(): Promise<void>;
  /** Creates a session or, with an id of the agent, continues that one. Rejects with "session_not_found" if it is gone. */
  openSession(options: AgentSessionOptions, resumed: string | undefined): Promise<AgentSession>;
}

/** How long a start that hangs is waited for when the agent is stopped. */
const START_MS = 5_000;

/** Makes a coding agent of an adapter: registered tools and listeners. */
export class AdaptedAgent implements CodingAgent {
  readonly name: string;
  readonly builtins: CodingAgent["builtins"];
  readonly httpBuiltins?: readonly string[];
  readonly keepsHistory: boolean;
  readonly provider?: string;
  readonly #adapter: AgentAdapter;
  readonly #registered = new Map<string, RegisteredTool>();
  readonly #sessions = new Set<AgentSession>();
  readonly #listeners: { readonly [E in keyof CodingAgentEvents]: Listeners<CodingAgentEvents[E]> } = {
    session: new Listeners(),
    event: new Listeners(),
  };
  #started: SharedStart<void> | undefined;

  constructor(adapter: AgentAdapter) {
    this.#adapter = adapter;
    this.name = adapter.name;
    this.builtins = adapter.builtins;
    this.keepsHistory = adapter.keepsHistory;
    if (adapter.httpBuiltins) this.httpBuiltins = adapter.httpBuiltins;
    if (adapter.provider !== undefined) this.provider = adapter.provider;
  }

  async start(signal?: AbortSignal): Promise<void> {
    const before = this.#started?.isGivenUp ? undefined : this.#started;
    const starting = before ?? new SharedStart(() => this.#adapter.start());
    this.#started = starting;
    starting.started.catch(() => {
      if (this.#started === starting) this.#started = undefined;
    });
    await starting.wait(signal);
  }

  async stop(): Promise<void> {
    const starting = this.#started;
    this.#started = undefined;
    let hasFailed = starting === undefined;
    // A start that hangs may have started something.
    if (starting)
      await within(
        START_MS,
        starting.started.catch(() => (hasFailed = true)),
      );
    await Promise.all([...this.#sessions].map((session) => session.close()));
    if (!hasFailed) await this.#adapter.stop().catch(() => {});
  }

  createSession(options: AgentSessionOptions): Promise<AgentSession> {
    return this.#open(options, undefined);
  }

  resumeSession(id: string, options: AgentSessionOptions): Promise<AgentSession> {
    return this.#open(options, id);
  }

  registerTool(tool: RegisteredTool): void {
    this.#registered.set(tool.name, tool);
  }

  on<E extends keyof CodingAgentEvents>(event: E, listener: (payload: CodingAgentEvents[E]) => void): () => void {
    return this.#listeners[event].listen(listener);
  }

  async #open(options: AgentSessionOptions, resumed: string | undefined): Promise<AgentSession> {
    const { sessionID, tools, signal } = options;
    await this.start(signal);
    signal?.throwIfAborted();
    const all = this.#registered.size === 0 ? tools : withRegistered(tools, new Map(this.#registered));
    const opened = await this.#adapter.openSession({ ...options, tools: all }, resumed);
    const session = new ObservedSession(opened, {
      event: (event) => this.#listeners.event.emit({ sessionID, event }),
      closed: () => this.#sessions.delete(session),
    });
    if (signal?.aborted) {
      await session.close();
      throw signal.reason;
    }
    this.#sessions.add(session);
    this.#listeners.session.emit({ sessionID, id: session.id, resumed: resumed !== undefined });
    return session;
  }
}

/** A session whose events and end are reported. */
class ObservedSession implements AgentSession {
  readonly #session: AgentSession;
  readonly #to: { event(event: AgentEvent): void; closed(): void };

  constructor(session: AgentSession, to: { event(event: AgentEvent): void; closed(): void }) {
    this.#session = session;
    this.#to = to;
  }

  get id(): string {
    return this.#session.id;
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    for await (const event of this.#session.send(prompt)) {
      this.#to.event(event);
      yield event;
    }
  }

  abort(): Promise<void> {
    return this.#session.abort();
  }

  async close(): Promise<void> {
    this.#to.closed();
    await this.#session.close().catch(() => {});
  }
}

/** The tools of a session and those that were registered with the agent. A tool of the session hides one of the same name. */
function withRegistered(tools: SessionTools, registered: ReadonlyMap<string, RegisteredTool>): SessionTools {
  return {
    list: () => {
      const own = tools.list();
      const names = new Set(own.map(({ name }) => name));
      return [...own, ...[...registered.values()].filter(({ name }) => !names.has(name))] as readonly AgentTool[];
    },
    call: (request: AgentCall): AgentRun => {
      const isOwn = tools.list().some(({ name }) => name === request.name);
      return (isOwn ? undefined : registered.get(request.name))?.call(request) ?? tools.call(request);
    },
    onChange: (listener) => tools.onChange(listener),
  };
}
