import { AgentError, NO_AGENT_NAMED } from "../core/agent-error.ts";
import type { AgentContext, AgentSource, CodingAgent } from "../core/coding-agent.ts";

const NO_AGENTS =
  'This toolbox has no agents. Pass them: createToolbox({ agents: knownAgents }), from "toolwright/agents".';

/** The agents of a toolbox. Each is created when it is first used. */
export class AgentPool {
  readonly #source: AgentSource | undefined;
  readonly #context: () => AgentContext;
  readonly #agents = new Map<string, Promise<CodingAgent>>();

  constructor(source: AgentSource | undefined, context: () => AgentContext) {
    this.#source = source;
    this.#context = context;
  }

  /** Rejects with an `AgentError`. */
  get(name: string | undefined): Promise<CodingAgent> {
    if (name === undefined) return Promise.reject(new AgentError("unknown_agent", NO_AGENT_NAMED));
    const known = this.#agents.get(name);
    if (known) return known;
    if (!this.#source) return Promise.reject(new AgentError("unknown_agent", NO_AGENTS));
    const created = this.#source.create(name, this.#context());
    this.#agents.set(name, created);
    created.catch(() => this.#agents.delete(name));
    return created;
  }

  async stop(): Promise<void> {
    const agents = await Promise.all([...this.#agents.values()].map((agent) => agent.catch(() => undefined)));
    await Promise.all(agents.map((agent) => agent?.stop()));
  }
}
