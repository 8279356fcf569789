export { AgentError, type AgentErrorCode } from "../../core/agent-error.ts";
export type { AgentContext, AgentSource, CodingAgent } from "../../core/coding-agent.ts";
export { knownAgents, langchainAgent } from "./known-agents.ts";
export type { LangchainModel, LangchainOptions } from "./langchain/langchain-adapter.ts";
