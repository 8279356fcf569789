import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { ShownTool } from "../../core/tool.ts";
import { VERSION } from "../../core/version.ts";
import { defined } from "../../platform/values/defined.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { CLAUDE_CODE_NAMES, fitNames } from "../client-limits/fit-names.ts";
import { isModelImage } from "../client-limits/model-image.ts";
import type { SdkTransport } from "../mcp/in-process-server.ts";
import { type AdaptedTool, type AgentView, adaptTools, isInView } from "./adapted-tools.ts";

/** The name under which agents know our tools. */
const SERVER = "toolwright";

/** A tool in the format of agents that run MCP servers in their own process, as authors write it. */
export interface SdkTool<I = Record<string, unknown>> extends Omit<ShownTool, "outputSchema"> {
  handler(args: I, context: SdkToolContext): Promise<SdkResult>;
}

/** The context that Toolwright passes to the handler of an author. */
export interface SdkToolContext extends SdkContext {
  readonly toolUseId: string;
  readonly sessionId: string;
}

/** A tool of a toolbox in that format. */
export interface ServedSdkTool extends Omit<SdkTool, "handler"> {
  /** Never rejects: a call that failed is a result with `isError`. */
  handler(args: unknown, context?: SdkContext): Promise<SdkResult>;
}

/** The data that the agent passes with a call. */
export interface SdkContext {
  readonly toolUseId?: string;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

/** A part of a result. */
export type ToolResultContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface SdkResult {
  readonly content: readonly ToolResultContent[];
  readonly isError?: boolean;
}

/** The tools as one MCP server in this process. */
export interface McpServerConfig {
  readonly type: "sdk";
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ServedSdkTool[];
  /**
   * The server that agents connect to: an object with `connect(transport)`. Several agents may connect at once. Its type
   * is `never`, since each SDK declares its own class.
   */
  readonly instance: never;
}

/** The enabled tools as an MCP server in this process. An agent that connects is served the tools of the last reload. */
export function toMcpServerConfig(toolbox: Toolbox, view: AgentView = {}): McpServerConfig {
  const instance = { connect: (transport: SdkTransport) => connect(transport, toolbox, view) } as never;
  return { type: "sdk", name: SERVER, version: VERSION, tools: toolsFor(toolbox, view).map(toSdkTool), instance };
}

/** The enabled tools for `mcpServers` of the Claude Agent SDK, in which `tools` has another meaning. */
export function toClaudeMcpServer(toolbox: Toolbox, view: AgentView = {}): Omit<McpServerConfig, "tools" | "version"> {
  const { type, name, instance } = toMcpServerConfig(toolbox, view);
  return { type, name, instance };
}

/** The names of these tools as the agent writes them: `mcp__toolwright__<name>`. */
export function allowedToolNames(toolbox: Toolbox, view: AgentView = {}): string[] {
  return toolsFor(toolbox, view).map(({ name }) => `mcp__${SERVER}__${name}`);
}

/** Schemas are fitted when an agent connects: tool files import this module, and should not load that code. */
function toolsFor(toolbox: Toolbox, view: AgentView): AdaptedTool[] {
  return adaptTools(toolbox, view, { fit: withFittedNames, carries: isModelImage });
}

function withFittedNames(tools: readonly ToolInfo[]): ToolInfo[] {
  const names = fitNames(
    tools.map(({ name }) => name),
    CLAUDE_CODE_NAMES,
    SERVER,
  );
  return tools.map((tool, at) => ({ ...tool, name: names[at] ?? tool.name }));
}

/**
 * Agents send messages right after `connect`, and fail on a transport without a handler. Messages that arrive before the
 * server is loaded are queued.
 */
async function connect(transport: SdkTransport, toolbox: Toolbox, view: AgentView): Promise<void> {
  const early: (() => void)[] = [];
  transport.onmessage = (message, extra) => void early.push(() => transport.onmessage?.(message, extra as never));
  // Loaded only now: most programs never connect an agent.
  const [{ createInProcessServer }, { fitTools }, { limitsOf }] = await Promise.all([
    import("../mcp/in-process-server.ts"),
    import("../client-limits/fit-tools.ts"),
    import("../client-limits/client-limits.ts"),
  ]);
  const limits = limitsOf({ name: "claude-code" });
  const { agent, sessionID } = view;
  const server = await createInProcessServer(toolbox, {
    includes: (tool) => isInView(tool, view),
    // An agent that has an output schema shows its model the structured data instead of the text.
    fit: (tools) => fitTools(tools, limits, SERVER).map(({ tool: { outputSchema: _, ...shown } }) => shown),
    ...defined({ agent, sessionID }),
  });
  transport.onmessage = undefined;
  const connected = server.connect(transport);
  for (const pass of early) pass();
  await connected;
}

function toSdkTool(tool: AdaptedTool): ServedSdkTool {
  const { name, description, inputSchema } = tool;
  return {
    name,
    description,
    inputSchema,
    handler: async (input, { toolUseId, sessionId, signal } = {}) => {
      const { ok, content } = await tool.call(input, { callID: toolUseId, sessionID: sessionId, signal }).result;
      return { content: content as SdkResult["content"], ...(ok ? {} : { isError: true }) };
    },
  };
}
