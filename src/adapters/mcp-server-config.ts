import { type Content, outputOf } from "../core/result.ts";
import type { JsonSchema } from "../core/schema.ts";
import { SHARED_SESSION_ID } from "../core/session-id.ts";
import { VERSION } from "../core/version.ts";
import type { SdkTransport } from "../mcp/in-process-server.ts";
import type { ToolInfo } from "../registry/registry-entry.ts";
import { attachmentLine } from "../toolbox/attachment-line.ts";
import { type Builtins, isSelected } from "../toolbox/builtin-selection.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";

/** The name under which agents know our tools. */
const SERVER = "toolwright";

/** A tool in the format of agents that run MCP servers in their own process. */
export interface SdkTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Never rejects: a call that failed is a result with `isError`. */
  handler(args: unknown, context?: SdkContext): Promise<SdkResult>;
}

/** The data that the agent passes with a call. */
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

/** The tools as one MCP server in this process. */
export interface McpServerConfig {
  readonly type: "sdk";
  readonly name: string;
  readonly version: string;
  readonly tools: readonly SdkTool[];
  /**
   * The server that agents connect to: an object with `connect(transport)`. Several agents may connect at once. Its type
   * is `never`, since each SDK declares its own class.
   */
  readonly instance: never;
}

/** Which tools are offered to an agent, which usually has built-in tools itself. */
export interface AgentView {
  /** Which of our built-in tools it gets as well; none by default. */
  readonly builtins?: Builtins;
  /** Its name, for the permission rules: tools that are denied to it entirely are left out. */
  readonly agent?: string;
}

/** The enabled tools as an MCP server in this process, for agents that accept one. */
export function toMcpServerConfig(toolbox: Toolbox, view: AgentView = {}): McpServerConfig {
  const instance = { connect: (transport: SdkTransport) => connect(transport, toolbox, view) } as never;
  const tools = toolsFor(toolbox, view).map((tool) => toSdkTool(tool, toolbox));
  return { type: "sdk", name: SERVER, version: VERSION, tools, instance };
}

/** The names of these tools as the agent writes them: `mcp__toolwright__<name>`. */
export function allowedToolNames(toolbox: Toolbox, view: AgentView = {}): string[] {
  return toolsFor(toolbox, view).map(({ name }) => `mcp__${SERVER}__${name}`);
}

function toolsFor(toolbox: Toolbox, view: AgentView): ToolInfo[] {
  return toolbox.list({ agent: view.agent ?? "" }).filter((tool) => isForAgent(tool, view));
}

function isForAgent({ name, source }: ToolInfo, { builtins = false }: AgentView): boolean {
  return source !== "builtin" || isSelected(name, builtins);
}

/**
 * Agents send messages right after `connect`, and fail on a transport without a handler. Messages that arrive before the
 * server is loaded are queued.
 */
async function connect(transport: SdkTransport, toolbox: Toolbox, view: AgentView): Promise<void> {
  const early: (() => void)[] = [];
  transport.onmessage = (message, extra) => void early.push(() => transport.onmessage?.(message, extra as never));
  // Loaded only now: most programs never connect an agent.
  const { createInProcessServer } = await import("../mcp/in-process-server.ts");
  const server = await createInProcessServer(toolbox, (tool) => isForAgent(tool, view));
  transport.onmessage = undefined;
  const connected = server.connect(transport);
  for (const pass of early) pass();
  await connected;
}

function toSdkTool({ name, description, inputSchema }: ToolInfo, toolbox: Toolbox): SdkTool {
  return {
    name,
    description,
    inputSchema,
    handler: async (input, { toolUseId, sessionId, signal } = {}) => {
      const run = toolbox.call({
        name,
        input,
        ...(toolUseId === undefined ? {} : { callID: toolUseId }),
        ...(sessionId === undefined ? {} : { sessionID: sessionId }),
        ...(signal === undefined ? {} : { signal }),
      });
      const result = await run.result;
      if (!result.ok) return { content: [{ type: "text", text: outputOf(result) }], isError: true };
      const owner = { sessionID: sessionId ?? SHARED_SESSION_ID, callID: run.callID };
      return { content: await Promise.all(result.content.map((part) => toSdkContent(part, owner, toolbox))) };
    },
  };
}

/** Files cannot be sent: the text says where the file is. */
async function toSdkContent(
  part: Content,
  owner: { sessionID: string; callID: string },
  toolbox: Toolbox,
): Promise<SdkResult["content"][number]> {
  return part.type === "file" ? { type: "text", text: await attachmentLine(toolbox, part, owner) } : part;
}
