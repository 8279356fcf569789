import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  ProtocolError,
  Result,
  ServerCapabilities,
} from "@modelcontextprotocol/server";
import type { AgentRun } from "../../core/coding-agent.ts";
import type { ToolError } from "../../core/error.ts";
import type { Log } from "../../core/log.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { ClientRequest } from "./client-request.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import type { OutputResources } from "./output-resources.ts";

/** Something that lists and calls tools: a toolbox, or a session. One MCP server serves one source. */
export interface ToolSource {
  readonly capabilities: ServerCapabilities;
  /** What clients are told about the tools when they connect. */
  readonly instructions: string | undefined;
  /** The session of all calls; by default each connection has a session, or names one. */
  readonly sessionID?: string;
  /** The project: paths of files in results are relative to it. */
  readonly directory: string;
  /** The folder of our state: large files in results are stored there. */
  readonly home: string;
  /** The files that results link to. */
  readonly outputs: OutputResources;
  /** The tools for one connection. */
  connect(): ConnectedTools;
  /** Resolves when the tools can be listed for a client; by default they can be listed at any time. */
  listable?(client: ClientIdentity | undefined): Promise<void>;
  /** Calls the listener when the list has changed. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Calls the listener with what tools print. Returns a function that removes it. Without it, clients get no log. */
  onPrint?(listener: Log): () => void;
  /** Serves a method that is not part of the protocol. */
  serveMethod?(method: string, params: unknown): Promise<Result>;
  /** Called when the connection of a session has ended. */
  endSession?(sessionID: string): void;
  /** Resolves when what runs for this server has ended. */
  close(): Promise<void>;
}

/** The tools of a source under the names that one client was sent. */
export interface ConnectedTools {
  list(client: ToolListContext, cursor: string | undefined): ListToolsResult;
  /** Starts a call, unless its result is known without. Rejects with a protocol error for a tool that is not served. */
  start(
    params: CallToolRequest["params"],
    request: ClientRequest,
    client: ToolListContext,
  ): Promise<StartedRun | { readonly result: CallToolResult }>;
  /** The error for a call whose tool was not found; by default the failed call is the result. */
  unknownTool?(requested: string, error: ToolError, client: ToolListContext): ProtocolError;
}

/** The client and session that tools are listed for. */
export interface ToolListContext {
  readonly info: ClientIdentity | undefined;
  readonly sessionID: string;
}

export interface StartedRun {
  readonly run: AgentRun;
  /** Our name of the tool. */
  readonly name: string;
  /** The output schema that the client was sent, if any. */
  readonly outputSchema: JsonSchema | undefined;
  /** To be called when the run has ended. */
  readonly ended: () => void;
}
