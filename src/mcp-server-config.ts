import { type Content, outputOf, type ToolResult } from "./core/result.ts";
import type { JsonSchema } from "./core/schema.ts";
import { VERSION } from "./core/version.ts";
import type { CallRequest, Run } from "./pipeline/call.ts";
import type { ToolInfo } from "./registry/entry.ts";

/** The name under which agents know our tools. */
const SERVER = "toolwright";

/** A tool as agents take it that hold their MCP servers in their own process. */
export interface SdkTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Never rejects: a call that failed is a result with `isError`. */
  handler(args: unknown, context?: SdkContext): Promise<SdkResult>;
}

/** What such an agent says of a call. */
export interface SdkContext {
  readonly toolUseId?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

export interface SdkResult {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  )[];
  readonly isError?: boolean;
}

/** All tools as one MCP server that lives in this process. */
export interface McpServerConfig {
  readonly type: "sdk";
  readonly name: string;
  readonly version: string;
  readonly tools: readonly SdkTool[];
}

export function toMcpServerConfig(tools: readonly ToolInfo[], call: (request: CallRequest) => Run): McpServerConfig {
  return { type: "sdk", name: SERVER, version: VERSION, tools: enabled(tools).map((tool) => toSdkTool(tool, call)) };
}

/** The names by which an agent is told that it may call our tools. */
export function allowedToolNames(tools: readonly ToolInfo[]): string[] {
  return enabled(tools).map(({ name }) => `mcp__${SERVER}__${name}`);
}

function enabled(tools: readonly ToolInfo[]): ToolInfo[] {
  return tools.filter((tool) => tool.enabled);
}

function toSdkTool({ name, description, inputSchema }: ToolInfo, call: (request: CallRequest) => Run): SdkTool {
  return {
    name,
    description,
    inputSchema,
    handler: async (input, { toolUseId, sessionId, signal } = {}) => {
      const request: CallRequest = {
        name,
        input,
        ...(toolUseId === undefined ? {} : { callID: toolUseId }),
        ...(sessionId === undefined ? {} : { sessionID: sessionId }),
        ...(signal === undefined ? {} : { signal }),
      };
      return toSdkResult(await call(request).result);
    },
  };
}

function toSdkResult(result: ToolResult): SdkResult {
  if (!result.ok) return { content: [{ type: "text", text: outputOf(result) }], isError: true };
  return { content: result.content.map(toSdkContent) };
}

/** A file that cannot be carried is said to be where it is. */
function toSdkContent(part: Content): SdkResult["content"][number] {
  if (part.type !== "file") return part;
  return { type: "text", text: `[${part.mimeType} file: ${part.url ?? part.name ?? "without a name"}]` };
}
