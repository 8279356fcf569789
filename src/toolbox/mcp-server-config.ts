import { type Content, outputOf } from "../core/result.ts";
import type { JsonSchema } from "../core/schema.ts";
import { VERSION } from "../core/version.ts";
import type { CallRequest, Run } from "../pipeline/call.ts";
import type { ToolInfo } from "../registry/entry.ts";

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
  /**
   * The live server that agents connect to: an object with `connect(transport)`, which may be called for several at once.
   * Typed so that every SDK takes it, since each has a class of its own for this.
   */
  readonly instance: never;
}

/** The messages of one agent, as `connect` of an MCP server takes them. */
export interface SdkTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** What the tools of such a server need of the toolbox. */
interface Caller {
  call(request: CallRequest): Run;
  attachmentLine(
    part: Exclude<Content, { type: "text" }>,
    call: { readonly sessionID: string; readonly callID: string },
  ): Promise<string>;
}

/** The server of one agent. `connect` takes over the handlers of a transport before it returns. */
export interface AgentServer {
  connect(transport: SdkTransport): Promise<void>;
}

/** `createServer` makes the server of each agent that connects. */
export function toMcpServerConfig(
  tools: readonly ToolInfo[],
  toolbox: Caller,
  createServer: () => Promise<AgentServer>,
): McpServerConfig {
  const instance = { connect: (transport: SdkTransport) => connect(transport, createServer) } as never;
  return {
    type: "sdk",
    name: SERVER,
    version: VERSION,
    tools: tools.map((tool) => toSdkTool(tool, toolbox)),
    instance,
  };
}

/**
 * Agents send messages as soon as they have called `connect`, and give up on a transport without a handler: until the server
 * is there, its messages are kept.
 */
async function connect(transport: SdkTransport, createServer: () => Promise<AgentServer>): Promise<void> {
  const early: (() => void)[] = [];
  transport.onmessage = (message, extra) => void early.push(() => transport.onmessage?.(message, extra as never));
  const server = await createServer();
  transport.onmessage = undefined;
  const connected = server.connect(transport);
  for (const pass of early) pass();
  await connected;
}

/** The names by which an agent is told that it may call our tools. */
export function allowedToolNames(tools: readonly ToolInfo[]): string[] {
  return tools.map(({ name }) => `mcp__${SERVER}__${name}`);
}

function toSdkTool({ name, description, inputSchema }: ToolInfo, toolbox: Caller): SdkTool {
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
      const owner = { sessionID: sessionId ?? "default", callID: run.callID };
      return { content: await Promise.all(result.content.map((part) => toSdkContent(part, owner, toolbox))) };
    },
  };
}

/** A file cannot be carried: it is said where it is. */
async function toSdkContent(
  part: Content,
  owner: { sessionID: string; callID: string },
  toolbox: Caller,
): Promise<SdkResult["content"][number]> {
  return part.type === "file" ? { type: "text", text: await toolbox.attachmentLine(part, owner) } : part;
}
