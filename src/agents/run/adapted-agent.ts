import type {
  AgentEvent,
  AgentRun,
  AgentSession,
  AgentSessionOptions,
  CodingAgent,
  CodingAgentEvents,
  RegisteredTool,
  SessionTools,
} from "../../core/coding-agent.ts";
import type { NamedCall } from "../../core/events.ts";
import type { RunEvent } from "../../core/question.ts";
import type { Content } from "../../core/result.ts";
import { TOOL_NAME } from "../../core/tool.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
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
    "tool.start": new Listeners(),
    "tool.complete": new Listeners(),
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
    assertTool(tool);
    this.#registered.set(tool.name, tool);
  }

  get registeredTools(): readonly RegisteredTool[] {
    return [...this.#registered.values()];
  }

  on<E extends keyof CodingAgentEvents>(event: E, listener: (payload: CodingAgentEvents[E]) => void): () => void {
    return this.#listeners[event].listen(listener);
  }

  /** The events of calls of these tools come from the pipeline. They are followed only for listeners. */
  #observed(tools: SessionTools, sessionID: string): SessionTools {
    const follow = async (run: AgentRun): Promise<void> => {
      for await (const event of run) this.#tellCall(event, sessionID);
    };
    return {
      list: () => tools.list(),
      call: (request) => {
        const run = tools.call(request);
        if (!this.#listeners["tool.start"].isEmpty || !this.#listeners["tool.complete"].isEmpty) void follow(run);
        return run;
      },
      onChange: (listener) => tools.onChange(listener),
    };
  }

  #tellCall(event: AgentEvent | RunEvent, sessionID: string): void {
    switch (event.type) {
      case "tool.start":
        return this.#listeners["tool.start"].emit({ ...callOf(event), sessionID, input: event.input });
      case "tool.complete":
      case "tool.failed": {
        const { ok: success } = event.result;
        return this.#listeners["tool.complete"].emit({ ...callOf(event), sessionID, success, result: event.result });
      }
    }
  }

  async #open(options: AgentSessionOptions, resumed: string | undefined): Promise<AgentSession> {
    const { sessionID, tools, signal } = options;
    await this.start(signal);
    signal?.throwIfAborted();
    const opened = await this.#adapter.openSession({ ...options, tools: this.#observed(tools, sessionID) }, resumed);
    const session = new ObservedSession(opened, {
      event: (event) => {
        this.#listeners.event.emit({ sessionID, event });
        this.#tellCall(event, sessionID);
      },
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

function callOf({ callID, tool, messageID, agent, parentID }: NamedCall): NamedCall {
  return { callID, tool, messageID, agent, ...defined({ parentID }) };
}

/** Throws a `TypeError` that says what is wrong. */
function assertTool(tool: RegisteredTool): void {
  const { name, description, inputSchema, handler }: Partial<RegisteredTool> = isObject(tool) ? tool : {};
  const problem = [
    typeof name === "string" && TOOL_NAME.test(name) ? "" : 'a "name" of 1 to 64 letters, digits, "_" and "-"',
    typeof description === "string" ? "" : 'a "description"',
    isObject(inputSchema) ? "" : 'an "inputSchema": JSON Schema of an object',
    typeof handler === "function" ? "" : 'a function "handler"',
  ].find((each) => each !== "");
  if (problem === undefined) return;
  const which = typeof name === "string" ? `The tool ${JSON.stringify(name)}` : "A tool";
  throw new TypeError(`${which} cannot be registered: it needs ${problem}.`);
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
