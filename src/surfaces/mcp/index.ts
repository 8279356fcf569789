export type { ShownTool } from "../../core/tool.ts";
export { chooseTools, type ToolChoice as Choice } from "./choose-tools.ts";
export { clientApprover } from "./client-approver.ts";
export { createProtocol, type Protocol } from "./create-protocol.ts";
export type { ClientIdentity, McpClient } from "./mcp-client.ts";
export { OpenCalls } from "./open-calls.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./serve-stdio.ts";
export type {
  Fit,
  McpPrompt,
  McpPromptMessage,
  McpResource,
  McpResourceTemplate,
  ProtocolOptions,
  ResourceData,
} from "./server-options.ts";
export type { Change } from "./server-state.ts";
