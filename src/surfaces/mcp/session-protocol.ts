import {
  type CallToolRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerCapabilities,
} from "@modelcontextprotocol/server";
import { MESSAGE_METHOD, PERMIT_METHOD } from "../../core/agent-extension.ts";
import type { AgentRun, AgentTool, PermitAnswer, PermitRequest, SessionTools } from "../../core/coding-agent.ts";
import type { Usage } from "../../core/session-log.ts";
import type { ShownTool } from "../../core/tool.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { toUsage } from "../../sessions/log/to-usage.ts";
import type { ClientRequest } from "./client-request.ts";
import { protocolOver, type SourceProtocol, withDefaults } from "./create-protocol.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import { OutputResources } from "./output-resources.ts";
import { PINNED_META, UNCUT_META } from "./pinned-tools.ts";
import type { Fit } from "./server-options.ts";
import { toMcpTool } from "./to-mcp-tool.ts";
import type { ConnectedTools, StartedRun, ToolListContext, ToolSource } from "./tool-source.ts";

/** The ids that an agent has told us of a call by other means than MCP. */
export interface CallIdentity {
  readonly callID?: string;
  readonly messageID?: string;
}

/** A call that an agent has sent over MCP. */
export interface ArrivedCall {
  readonly name: string;
  readonly input: unknown;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A message of the model. */
export interface ReportedMessage {
  readonly usage?: Usage;
  /** Why the model has failed. */
  readonly error?: string | undefined;
}

export interface SessionProtocolOptions {
  readonly sessionID: string;
  /** Paths of files in results are relative to it. */
  readonly directory: string;
  /** The folder of our state: large files in results are stored there. */
  readonly toolwrightHome: string;
  /** Whether the client can use resources; by default it can. If not, its model is told the paths of files. */
  readonly resources?: boolean;
  /** Adapts names and schemas to the client. */
  readonly fit?: Fit;
  /**
   * The ids of a call that has arrived. `name` is our name of the tool, `meta` is `_meta` of the request. The call starts when
   * it resolves. Must not reject.
   */
  identify?(call: ArrivedCall): Promise<CallIdentity | undefined>;
  /** Decides on a call of a tool of the agent's own, for an extension of ours in the agent. Must not reject. */
  permit?(request: Pick<PermitRequest, "callID" | "tool" | "input">): Promise<PermitAnswer>;
  /** Called when an extension of ours in the agent reports a message of the model. */
  onMessage?(message: ReportedMessage): void;
  /** Called after each list that a client was sent, with our names by the names that were sent. */
  onListed?(names: ReadonlyMap<string, string>): void;
}

/** Every tool is shown to the model, and Claude Code does not cut what the pipeline has already cut. */
const SESSION_META = { ...PINNED_META, ...UNCUT_META } as const;

/** The MCP server over the tools of one session. */
export interface SessionProtocol extends SourceProtocol {
  /** Aborts the calls that run. Resolves when they have ended. */
  abort(): Promise<void>;
}

/**
 * Serves the tools of a session. The server never asks its client anything: the pipeline asks the person who uses the agent.
 * Session, agent and ids of a call are those of the session, whatever the client says.
 */
export function createSessionProtocol(tools: SessionTools, options: SessionProtocolOptions): SessionProtocol {
  const source = new SessionSource(tools, options);
  return { ...protocolOver(source, withDefaults({})), abort: () => source.abort() };
}

/** The tools of a session as they are served over MCP. All connections share the names that were sent. */
class SessionSource implements ToolSource, ConnectedTools {
  readonly capabilities: ServerCapabilities;
  readonly instructions: undefined;
  readonly sessionID: string;
  readonly directory: string;
  readonly home: string;
  readonly outputs: OutputResources = new OutputResources();
  readonly #tools: SessionTools;
  readonly #options: SessionProtocolOptions;
  readonly #running = new Set<AgentRun>();
  /** Our names by the names that clients were sent, those of earlier lists included. */
  readonly #names = new Map<string, string>();

  constructor(tools: SessionTools, options: SessionProtocolOptions) {
    const { sessionID, directory, toolwrightHome, resources = true } = options;
    this.#tools = tools;
    this.#options = options;
    this.sessionID = sessionID;
    this.directory = directory;
    this.home = toolwrightHome;
    this.capabilities = { tools: { listChanged: true }, ...(resources ? { resources: {} } : {}) };
  }

  connect(): ConnectedTools {
    return this;
  }

  onChange(listener: () => void): () => void {
    return this.#tools.onChange(listener);
  }

  list({ info }: ToolListContext): ListToolsResult {
    const shown = this.#fit(this.#tools.list(), info);
    const names = new Map(shown.map(({ tool, as }) => [as.name, tool.name]));
    for (const [as, name] of names) this.#names.set(as, name);
    this.#options.onListed?.(names);
    return { tools: shown.map(({ tool, as }) => toMcpTool(as, tool.hints, SESSION_META)) };
  }

  async start(
    { name: requested, arguments: input = {} }: CallToolRequest["params"],
    request: ClientRequest,
  ): Promise<StartedRun> {
    const name = this.#nameOf(requested, request.info);
    const ids = await this.#options.identify?.({ name, input, meta: request.context.mcpReq._meta });
    const run = this.#tools.call({ name, input, ...ids });
    this.#running.add(run);
    return { run, name, outputSchema: undefined, ended: () => void this.#running.delete(run) };
  }

  /** Serves the methods of our extensions in agents. */
  async serveMethod(method: string, given: unknown): Promise<Result> {
    const { permit, onMessage } = this.#options;
    const params = isObject(given) ? given : {};
    const { callID, tool, input } = params;
    if (method === PERMIT_METHOD && permit) {
      return { ...(await permit({ callID: String(callID), tool: String(tool), input })) };
    }
    if (method === MESSAGE_METHOD && onMessage) {
      onMessage(toReportedMessage(params));
      return {};
    }
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `"${method}" is not served here.`);
  }

  async abort(): Promise<void> {
    const running = [...this.#running];
    for (const run of running) run.abort();
    await Promise.all(running.map(({ result }) => result));
  }

  close(): Promise<void> {
    return this.abort();
  }

  /** Output schemas are not sent: clients that have one show their model the structured data instead of text and images. */
  #fit(tools: readonly AgentTool[], client: ClientIdentity | undefined): { tool: AgentTool; as: ShownTool }[] {
    const plain = tools.map(({ name, description, inputSchema }): ShownTool => ({ name, description, inputSchema }));
    const fitted = this.#options.fit?.(plain, client) ?? plain;
    return tools.map((tool, at) => ({ tool, as: fitted[at] ?? tool }));
  }

  /** An agent may know the names from an earlier connection. A name that was never sent is passed on: the call fails and says so. */
  #nameOf(requested: string, client: ClientIdentity | undefined): string {
    const known = this.#names.get(requested);
    if (known !== undefined) return known;
    return this.#fit(this.#tools.list(), client).find(({ as }) => as.name === requested)?.tool.name ?? requested;
  }
}

/** Built from named fields: any process that knows the URL of the session can send such a message. */
function toReportedMessage({ usage, error }: Readonly<Record<string, unknown>>): ReportedMessage {
  return {
    ...(isObject(usage) ? { usage: toUsage(usage) } : {}),
    error: typeof error === "string" ? error : undefined,
  };
}
