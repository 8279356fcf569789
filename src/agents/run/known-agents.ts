import { AgentError } from "../../core/agent-error.ts";
import type { AgentContext, AgentSource, CodingAgent } from "../../core/coding-agent.ts";
import { nearest } from "../../platform/text/nearest.ts";
import { AdaptedAgent, type AgentAdapter } from "./adapted-agent.ts";
import type { LangchainOptions } from "./langchain/langchain-adapter.ts";

/** How an agent's adapter is loaded. */
type Loader = (context: AgentContext) => Promise<AgentAdapter>;

/** The agents that are known by name. Each adapter is loaded when it is first used. */
const ADAPTERS: Readonly<Record<string, Loader>> = {
  claude: async (context) => (await import("./claude/claude-adapter.ts")).createClaudeAdapter(context),
  copilot: async (context) => (await import("./copilot/copilot-adapter.ts")).createCopilotAdapter(context),
  codex: acp("codex"),
  demo: async () => (await import("./demo/demo-adapter.ts")).createDemoAdapter(),
  gemini: acp("gemini"),
  goose: acp("goose"),
  opencode: async (context) => (await import("./opencode/opencode-adapter.ts")).createOpencodeAdapter(context),
  langchain: async (context) => (await import("./langchain/langchain-adapter.ts")).createLangchainAdapter(context),
  pi: acp("pi"),
};

/** The known agents, and those that the user's settings name in `agents.programs`. */
export const knownAgents: AgentSource = {
  names: (context) => [...Object.keys(ADAPTERS), ...otherPrograms(context)],
  create: async (name, context): Promise<CodingAgent> => {
    return new AdaptedAgent(await loadAdapter(name, context));
  },
};

/** The known agents, with LangChain's set up by a program: `createToolbox({ agents: langchainAgent({ model }) })`. */
export function langchainAgent(options: LangchainOptions): AgentSource {
  return {
    names: knownAgents.names,
    create: async (name, context) => {
      if (name !== "langchain") return knownAgents.create(name, context);
      const { createLangchainAdapter } = await import("./langchain/langchain-adapter.ts");
      return new AdaptedAgent(createLangchainAdapter(context, options));
    },
  };
}

/** Rejects with "unknown_agent". */
export async function loadAdapter(name: string, context: AgentContext): Promise<AgentAdapter> {
  if (!knownAgents.names(context).includes(name)) throw unknownAgent(name, knownAgents.names(context));
  const load = (Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined) ?? acp(name);
  return load(context);
}

/** For an agent that speaks the Agent Client Protocol. */
function acp(name: string): Loader {
  return async (context) => (await import("./acp/acp-adapter.ts")).createAcpAdapter(name, context);
}

function otherPrograms({ programs }: AgentContext): string[] {
  return Object.keys(programs).filter((name) => !Object.hasOwn(ADAPTERS, name));
}

function unknownAgent(name: string, names: readonly string[]): AgentError {
  const [near] = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new AgentError(
    "unknown_agent",
    `There is no agent "${name}".${hint} Known agents: ${names.join(", ")}. To use another one that speaks the Agent Client Protocol, set its command: "agents": { "programs": { "${name}": ["PROGRAM", "ARGUMENT"] } } in your settings.`,
  );
}
