import { AgentError, NO_AGENT_NAMED } from "../core/agent-error.ts";
import type { AgentContext, AgentSource, CodingAgent } from "../core/coding-agent.ts";
import { SharedStart } from "../platform/waiting/shared-start.ts";
import { unlessAborted } from "../platform/waiting/until-aborted.ts";
import { within } from "../platform/waiting/within.ts";

const NO_AGENTS =
  'This toolbox has no agents. Pass them: createToolbox({ agents: knownAgents }), from "toolwright/agents".';

/** How long an agent may take to stop. */
const STOP_MS = 15_000;

/** The agents of a toolbox. Each is created and started when it is first used. */
export class AgentPool {
  readonly #source: AgentSource | undefined;
  readonly #context: () => AgentContext;
  readonly #agents = new Map<string, SharedStart<CodingAgent>>();

  constructor(source: AgentSource | undefined, context: () => AgentContext) {
    this.#source = source;
    this.#context = context;
  }

  /**
   * The started agent. Rejects with an `AgentError`. If the signals of all that wait for it fire before the agent is created, or has
   * started, a later call does that again.
   */
  async get(name: string | undefined, signal?: AbortSignal): Promise<CodingAgent> {
    if (name === undefined) throw new AgentError("unknown_agent", NO_AGENT_NAMED);
    const source = this.#source;
    if (!source) throw new AgentError("unknown_agent", NO_AGENTS);
    const known = this.#agents.get(name);
    const created = known && !known.isGivenUp ? known : new SharedStart(() => source.create(name, this.#context()));
    this.#agents.set(name, created);
    created.started.catch(() => {
      if (this.#agents.get(name) === created) this.#agents.delete(name);
    });
    const agent = await created.wait(signal);
    const starting = agent.start(signal);
    await (signal ? unlessAborted(signal, starting) : starting);
    return agent;
  }

  /** An agent that hangs is not waited for. */
  async stop(): Promise<void> {
    const stopping = [...this.#agents.values()].map(({ started }) => started.then((each) => each.stop()));
    await Promise.allSettled(stopping.map((each) => within(STOP_MS, each)));
  }
}
