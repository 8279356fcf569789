import type { Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Protocol } from "./create-protocol.ts";
import { StdioTransport } from "./stdio-server-transport.ts";
import { StrictServer } from "./strict-server.ts";

/** One message; a picture or a file may be part of it. */
const MAX_BYTES = 20_000_000;

/** The two ends of a connection, and what it may carry. */
export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The largest message that is read; 20 MB by default. */
  readonly maxBytes?: number;
  readonly onError?: (error: Error) => void;
}

/** A connection that is being served. */
export interface StdioServer {
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over a pair of streams, in whichever era it speaks. Begins at once. */
export function serveStdio(
  protocol: Protocol,
  { input, output, maxBytes = MAX_BYTES, onError }: StdioOptions,
): StdioServer {
  const transport = new StdioTransport(input, output, maxBytes);
  const connect: McpServerFactory = async (context) => {
    const server = await protocol.connect(context);
    if (server instanceof StrictServer) transport.fastCallPath = server.fastCallPath;
    return server;
  };
  const handle = serve(connect, { transport, ...(onError ? { onerror: onError } : {}) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  return { closed, close: () => handle.close() };
}
