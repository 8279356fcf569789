import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { chooseTools } from "./choose-tools.ts";
import { Connection } from "./client-connection.ts";
import type { McpClient } from "./mcp-client.ts";
import { OpenCalls } from "./open-calls.ts";
import type { ProtocolOptions } from "./server-options.ts";
import { type Change, Shared } from "./shared.ts";

/** A toolbox in the words of the Model Context Protocol, for as many clients as there are, in both of its eras. */
export interface Protocol {
  /** A fresh protocol object for a connection, or for a session over HTTP, that stays. */
  readonly connect: McpServerFactory;
  /** A fresh protocol object for a single request. */
  readonly once: McpServerFactory;
  /** The client that made a call, while the call runs: for tools in code that have something to ask it. */
  clientOf(callID: string): McpClient | undefined;
  /** Tells whoever has subscribed that there is something new to read. */
  resourceUpdated(uri: string): void;
  /** For transports that tell clients of changes themselves. */
  onChange(listener: (change: Change) => void): () => void;
  /** Ends what waits for clients to come back. The toolbox stays open: whoever opened it closes it. */
  close(): Promise<void>;
}

/** Serves a toolbox. Nothing is run, and nothing started, before a client asks for it. */
export function createProtocol(toolbox: Toolbox, options: ProtocolOptions = {}): Protocol {
  const { calls = new OpenCalls() } = options;
  const shared = new Shared(toolbox, {
    includes: chooseTools({}),
    resources: [],
    prompts: [],
    watches: true,
    pageSize: 500,
    askMs: 600_000,
    embedBytes: 100_000,
    readBytes: 5_000_000,
    ...options,
    calls,
  });
  return {
    // Over HTTP there is a request, and there may be other clients.
    connect: ({ era, requestInfo }) =>
      new Connection(shared, { era, forOneRequest: false, isAlone: requestInfo === undefined }).server,
    once: ({ era }) => new Connection(shared, { era, forOneRequest: true, isAlone: false }).server,
    clientOf: (callID) => calls.clientOf(callID),
    resourceUpdated: (uri) => shared.changes.tell({ kind: "resource", uri }),
    onChange: (listener) => shared.changes.listen(listener),
    close: () => shared.close(),
  };
}
