/** A toolbox as the tools of other libraries: the entry `toolwright/adapters`. */
export type { AgentView, CarriedContent } from "./adapted-tools.ts";
export { type AiSdkModelOutput, type AiSdkOutput, type AiSdkTool, toAiSdkTools } from "./ai-sdk-tools.ts";
export { type CopilotInvocation, type CopilotResult, type CopilotTool, toCopilotTools } from "./copilot-tools.ts";
export { type LangChainArtifact, toLangChainTools } from "./langchain-tools.ts";
export { allowedToolNames, type McpServerConfig, toClaudeMcpServer, toMcpServerConfig } from "./mcp-server-config.ts";
export {
  type OpenAiCallOutput,
  type OpenAiOutput,
  type OpenAiOutputItem,
  type OpenAiTool,
  runOpenAiCalls,
  toOpenAiTools,
} from "./openai-tools.ts";
