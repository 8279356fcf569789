import type { AgentSource } from "../core/coding-agent.ts";
import { AdaptedAgent } from "./adapted-agent.ts";
import { knownAgents } from "./known-agents.ts";
import type { LangchainOptions } from "./langchain/langchain-adapter.ts";

const NAME = "langchain";

/** The known agents, with LangChain's set up by a program: `createToolbox({ agents: langchainAgent({ model }) })`. */
export function langchainAgent(options: LangchainOptions): AgentSource {
  return {
    names: knownAgents.names,
    create: async (name, context) => {
      if (name !== NAME) return knownAgents.create(name, context);
      const { createLangchainAdapter } = await import("./langchain/langchain-adapter.ts");
      return new AdaptedAgent(createLangchainAdapter(context, options));
    },
  };
}
