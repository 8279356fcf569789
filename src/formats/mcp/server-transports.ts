import type { StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpServer } from "../../core/mcp-server.ts";
import { killTree } from "../../process/process-tree.ts";
import type { StderrTail } from "./stderr-tail.ts";

/** How long a server may take to exit after its stdin is closed, or to end its HTTP session. */
const END_MS = 1000;
/** A single message: the answer of a call may hold files. The client takes ever longer over larger ones. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;

/** A server that is started as a process, and ended with everything that it has started. */
export async function stdioTransport(
  server: McpServer & { type: "stdio" },
  cwd: string,
  said: StderrTail,
): Promise<StdioClientTransport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");

  // Of the class itself the client would start a second process to find out about versions.
  class ServerProcess extends StdioClientTransport {
    #ending: Promise<void> | undefined;

    override close(): Promise<void> {
      this.#ending ??= this.#end(this.pid);
      return this.#ending;
    }

    async #end(pid: number | null): Promise<void> {
      const timer = setTimeout(() => pid !== null && killTree(pid), END_MS);
      await super.close();
      clearTimeout(timer);
    }
  }

  const transport = new ServerProcess({
    command: server.command,
    args: [...server.args],
    env: { ...ownEnvironment(), ...server.env },
    cwd: server.cwd ?? cwd,
    stderr: "pipe",
    maxBufferSize: LARGEST_MESSAGE,
  });
  transport.stderr?.on("data", (chunk: Buffer) => said.add(chunk));
  return transport;
}

/** What a host gives to tools it gives to servers as well. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A server at an address. Its session, if it gives one, is ended with the connection. */
export async function httpTransport(server: McpServer & { type: "http" }): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");

  class ServerSession extends StreamableHTTPClientTransport {
    #ending: Promise<void> | undefined;

    override close(): Promise<void> {
      this.#ending ??= this.#end();
      return this.#ending;
    }

    async #end(): Promise<void> {
      // Closing gives up whatever is still on its way, so that a server that does not answer ends there.
      const timer = setTimeout(() => void super.close(), END_MS);
      await this.terminateSession().catch(() => {});
      clearTimeout(timer);
      await super.close();
    }
  }

  return new ServerSession(new URL(server.url), { requestInit: { headers: server.headers } });
}

/** The two ends of a connection within one process. What is sent arrives as it would from another process: as JSON. */
export function memoryTransports(): readonly [Transport, Transport] {
  const [near, far] = [new MemoryEnd(), new MemoryEnd()];
  near.other = far;
  far.other = near;
  return [near, far];
}

class MemoryEnd implements Transport {
  other: MemoryEnd | undefined;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  async start(): Promise<void> {}

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    const text = JSON.stringify(message);
    queueMicrotask(() => this.other?.onmessage?.(JSON.parse(text)));
  }

  async close(): Promise<void> {
    const { other } = this;
    this.other = undefined;
    if (other) other.other = undefined;
    this.onclose?.();
    other?.onclose?.();
  }
}
