import type { Toolbox, ToolboxOptions } from "./toolbox.ts";

export { type ToolDefinition, tool } from "./authoring/tool.ts";
export type { Settings } from "./config/settings.ts";
export { ToolError, type ToolErrorCode } from "./core/error.ts";
export type { ToolEvent, Update } from "./core/events.ts";
export type { Problem, ProblemCode } from "./core/problem.ts";
export { type Content, type Notes, outputOf, type ToolResult, type Truncated } from "./core/result.ts";
export type { Checked, Issue, JsonSchema, Schema } from "./core/schema.ts";
export type { Access, AskRequest, Hints, Limits, ToolContext } from "./core/tool.ts";
export type { Blocked } from "./discovery/discover.ts";
export type { Answer } from "./host/protocol.ts";
export type { McpServerConfig, SdkContext, SdkResult, SdkTool } from "./mcp-server-config.ts";
export type { CallRequest, Run } from "./pipeline/call.ts";
export type { Approver, Question } from "./pipeline/permit.ts";
export type { Shadowed, ToolInfo } from "./registry/entry.ts";
export type { Report, Toolbox, ToolboxOptions } from "./toolbox.ts";

/** Finds, checks and serves the tools for a directory. Never rejects because of a tool file. */
export async function createToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { openToolbox } = await import("./open-toolbox.ts");
  return openToolbox(options);
}
