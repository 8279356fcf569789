import type { McpRequestContext, McpServerFactory } from "@modelcontextprotocol/server";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { chooseTools } from "./choose-tools.ts";
import { ClientConnection, type ConnectionKind } from "./client-connection.ts";
import { handleLogging } from "./logging-handlers.ts";
import type { McpClient } from "./mcp-client.ts";
import { OpenCalls } from "./open-calls.ts";
import { handlePrompts } from "./prompt-handlers.ts";
import { handleResources } from "./resource-handlers.ts";
import type { ProtocolOptions, ResolvedOptions } from "./server-options.ts";
import { type Change, ServerState } from "./server-state.ts";
import type { StrictServer } from "./strict-server.ts";
import { handleTools } from "./tool-handlers.ts";
import type { ToolSource } from "./tool-source.ts";
import { ToolboxSource } from "./toolbox-source.ts";

/** An MCP server over a toolbox, for any number of clients of both protocol eras. It has no transport. */
export interface Protocol {
  /** Creates the SDK server for a connection, or for an HTTP session. */
  readonly connect: McpServerFactory;
  /** Creates the SDK server for a single request. */
  readonly once: McpServerFactory;
  /** The client that made a call, while the call runs. Tools in code use it to ask the client something. */
  clientOf(callID: string): McpClient | undefined;
  /** Notifies the clients that have subscribed to a resource. */
  resourceUpdated(uri: string): void;
  /** For transports that notify clients of changes themselves. */
  onChange(listener: (change: Change) => void): () => void;
  /** Aborts requests that wait for input from clients. Does not close the toolbox. */
  close(): Promise<void>;
}

/** Serves a toolbox. It runs no author's code and starts no process before a client's first request. */
export function createProtocol(toolbox: Toolbox, options: ProtocolOptions = {}): Protocol {
  const resolved = withDefaults(options);
  return protocolOver(new ToolboxSource(toolbox, resolved), resolved);
}

/** `Protocol`, with the types that transports in this process use. */
export interface SourceProtocol extends Protocol {
  readonly connect: (context: Pick<McpRequestContext, "era" | "requestInfo">) => StrictServer;
}

/** Serves a source of tools. */
export function protocolOver(source: ToolSource, options: ResolvedOptions): SourceProtocol {
  const state = new ServerState(source, options);
  return {
    // Over HTTP there is a request, and there may be other clients.
    connect: ({ era, requestInfo }) =>
      connectClient(state, { era, forOneRequest: false, isOnlyClient: requestInfo === undefined }),
    once: ({ era }) => connectClient(state, { era, forOneRequest: true, isOnlyClient: false }),
    clientOf: (callID) => options.calls.clientOf(callID),
    resourceUpdated: (uri) => state.changes.emit({ kind: "resource", uri }),
    onChange: (listener) => state.changes.listen(listener),
    close: () => state.close(),
  };
}

export function withDefaults(options: ProtocolOptions): ResolvedOptions {
  return {
    includes: chooseTools({}),
    resources: [],
    prompts: [],
    watches: true,
    offersStatus: true,
    pinsFew: true,
    pageSize: 500,
    askMs: 600_000,
    embedBytes: 100_000,
    readBytes: 5_000_000,
    ...options,
    calls: options.calls ?? new OpenCalls(),
  };
}

function connectClient(state: ServerState, kind: ConnectionKind): StrictServer {
  const connection = new ClientConnection(state, kind);
  handleTools(connection);
  handleResources(connection);
  handlePrompts(connection);
  handleLogging(connection);
  return connection.server;
}
