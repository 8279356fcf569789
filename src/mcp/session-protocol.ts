import {
  type CallToolRequest,
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Result,
} from "@modelcontextprotocol/server";
import { MESSAGE_METHOD, PERMIT_METHOD } from "../core/agent-extension.ts";
import type { AgentRun, AgentTool, PermitAnswer, PermitRequest, SessionTools } from "../core/coding-agent.ts";
import { isObject } from "../core/is-object.ts";
import type { Usage } from "../core/session-log.ts";
import { toUsage } from "../core/to-usage.ts";
import { VERSION } from "../core/version.ts";
import { legacyClientProfile, modernClientProfile } from "./client-profile.ts";
import type { ClientRequest } from "./client-request.ts";
import { toMcpTool } from "./client-tools.ts";
import type { Protocol } from "./create-protocol.ts";
import { FastCallPath } from "./fast-call-path.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import { OutputResources } from "./output-resources.ts";
import { PendingRequests } from "./pending-requests.ts";
import { PINNED_META, UNCUT_META } from "./pinned-tools.ts";
import { reportProgress } from "./report-progress.ts";
import type { Fit, ShownTool } from "./server-options.ts";
import { Changes } from "./server-state.ts";
import { StrictServer } from "./strict-server.ts";
import { toCallResult } from "./to-call-result.ts";

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

/** Larger output is read from its file. */
const READ_BYTES = 5_000_000;
const EMBED_BYTES = 100_000;

/** Every tool is shown to the model, and Claude Code does not cut what the pipeline has already cut. */
const SESSION_META = { ...PINNED_META, ...UNCUT_META } as const;

/**
 * The MCP server over the tools of one session. Unlike `createProtocol`, it never asks its client anything: the pipeline asks
 * the person who uses the agent. Session, agent and ids of a call are those of the session, whatever the client says.
 */
export class SessionProtocol implements Pick<Protocol, "connect" | "once" | "onChange" | "close"> {
  readonly #tools: SessionTools;
  readonly #options: SessionProtocolOptions;
  readonly #changes = new Changes();
  readonly #pending = new PendingRequests();
  readonly #outputs = new OutputResources();
  readonly #running = new Set<AgentRun>();
  readonly #stopListening: () => void;
  /** Our names by the names that clients were sent, those of earlier lists included. */
  readonly #names = new Map<string, string>();

  constructor(tools: SessionTools, options: SessionProtocolOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#stopListening = tools.onChange(() => this.#changes.emit({ kind: "tools" }));
  }

  readonly connect = ({ era }: { readonly era: "legacy" | "modern" }): StrictServer => {
    const server = this.#createServer(era);
    let isReady = false;
    server.oninitialized = () => {
      isReady = true;
    };
    server.fastCallPath = new FastCallPath({
      isReady: () => isReady,
      profile: () => legacyClientProfile(server, () => undefined, 0),
      sendersFor: (relatedRequestId) => ({
        notify: (notification) => server.notification(notification, { relatedRequestId }),
        send: (question, options) => server.request(question, { ...options, relatedRequestId }),
      }),
      call: (params, request) => this.#call(params, request, server.getNegotiatedProtocolVersion()),
    });
    const stopListening = this.#changes.listen(() => {
      // A failed send means that the client is gone, which closes the connection.
      if (isReady) server.sendToolListChanged().catch(() => {});
    });
    server.onclose = () => {
      stopListening();
      server.fastCallPath?.close();
      this.#pending.abort(server);
    };
    return server;
  };

  readonly once: Protocol["once"] = ({ era }) => this.#createServer(era);

  readonly onChange: Protocol["onChange"] = (listener) => this.#changes.listen(listener);

  /** Aborts the calls that run. Resolves when they have ended. */
  async abort(): Promise<void> {
    const running = [...this.#running];
    for (const run of running) run.abort();
    await Promise.all(running.map(({ result }) => result));
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#pending.abort();
    await this.abort();
  }

  #createServer(era: "legacy" | "modern"): StrictServer {
    const { resources = true } = this.#options;
    const server = new StrictServer(
      { name: "toolwright", version: VERSION },
      {
        capabilities: { tools: { listChanged: true }, ...(resources ? { resources: {} } : {}) },
        // The client is never asked anything, so there is no answer to validate.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    const profileOf = (context: Parameters<typeof modernClientProfile>[0]): ReturnType<typeof modernClientProfile> =>
      era === "modern" ? modernClientProfile(context, 0) : legacyClientProfile(server, () => undefined, 0);
    server.setRequestHandler("tools/list", (_, context) => this.#list(profileOf(context).info));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const target = { context, target: `tool ${params.name}`, connection: server, profile: profileOf(context) };
      const version = server.getNegotiatedProtocolVersion();
      const served = await this.#pending.serve(target, (request) => this.#call(params, request, version));
      return served as CallToolResult;
    });
    server.fallbackRequestHandler = ({ method, params }) =>
      this.#serveExtension(method, isObject(params) ? params : {});
    if (!resources) return server;
    server.setRequestHandler("resources/list", () => ({ resources: [] }));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      const output = await this.#outputs.read(this.#options.sessionID, uri, READ_BYTES);
      if (output) return output;
      throw new ResourceNotFoundError(uri, "There is no such resource in this session.");
    });
    return server;
  }

  /** Serves the methods of our extensions in agents. */
  async #serveExtension(method: string, params: Readonly<Record<string, unknown>>): Promise<Result> {
    const { permit, onMessage } = this.#options;
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

  #list(client: ClientIdentity | undefined): ListToolsResult {
    const shown = this.#fit(this.#tools.list(), client);
    const names = new Map(shown.map(({ tool, as }) => [as.name, tool.name]));
    for (const [as, name] of names) this.#names.set(as, name);
    this.#options.onListed?.(names);
    return { tools: shown.map(({ tool, as }) => toMcpTool(as, tool.hints, SESSION_META)) };
  }

  /** Output schemas are not sent: clients that have one show their model the structured data instead of text and images. */
  #fit(tools: readonly AgentTool[], client: ClientIdentity | undefined): { tool: AgentTool; as: ShownTool }[] {
    const plain = tools.map(({ name, description, inputSchema }): ShownTool => ({ name, description, inputSchema }));
    const fitted = this.#options.fit?.(plain, client) ?? plain;
    return tools.map((tool, at) => ({ tool, as: fitted[at] ?? tool }));
  }

  async #call(
    { name: requested, arguments: input = {} }: CallToolRequest["params"],
    request: ClientRequest,
    version: string | undefined,
  ): Promise<CallToolResult> {
    const { sessionID, directory, toolwrightHome: home, identify, resources = true } = this.#options;
    const name = this.#nameOf(requested, request.info);
    const { _meta: meta } = request.context.mcpReq;
    const ids = await identify?.({ name, input, meta });
    const run = this.#tools.call({ name, input, ...ids });
    this.#running.add(run);
    request.abortsWith(run);
    try {
      if (meta?.progressToken !== undefined) await reportProgress(run, () => request.context);
      const result = await run.result;
      const call = { name, sessionID, callID: run.callID };
      const outputSchema = undefined;
      return toCallResult(result, {
        call,
        // The oldest version has no links.
        version: resources ? version : "",
        outputs: this.#outputs,
        home,
        directory,
        embedBytes: resources ? EMBED_BYTES : -1,
        outputSchema,
      });
    } finally {
      this.#running.delete(run);
    }
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
