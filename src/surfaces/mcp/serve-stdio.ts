import type { Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Protocol } from "./create-protocol.ts";
import { StdioTransport } from "./stdio-server-transport.ts";
import { StrictServer } from "./strict-server.ts";

/** Messages may contain images and files. */
const MAX_BYTES = 20_000_000;

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The maximum size of a message; 20 MB by default. */
  readonly maxBytes?: number;
  readonly onError?: (error: Error) => void;
}

export interface StdioServer {
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client of either protocol era over a pair of streams. */
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
