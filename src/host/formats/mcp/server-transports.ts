import type { StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpServer } from "../../../core/mcp-server.ts";
import { killTree } from "../../../platform/processes/process-tree.ts";
import { newMark, RUN_MARKER } from "../../../platform/processes/run-marker.ts";
import type { StderrTail } from "./stderr-tail.ts";

/** How long a server may take to exit after its stdin is closed, or to end its HTTP session. */
const END_MS = 1000;
/** Limit for one message. A result may contain files, but the client slows down with larger messages. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Starts a server as a process. `close` ends it with all its child processes. */
export async function stdioTransport(
  server: McpServer & { type: "stdio" },
  cwd: string,
  stderr: StderrTail,
): Promise<StdioClientTransport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");

  // A subclass, because the client starts a second process to detect the version of a plain StdioClientTransport.
  class ServerProcess extends StdioClientTransport {
    #ending: Promise<void> | undefined;

    override close(): Promise<void> {
      this.#ending ??= this.#end(this.pid);
      return this.#ending;
    }

    async #end(pid: number | null): Promise<void> {
      const timer = setTimeout(() => pid !== null && killTree(pid, mark), END_MS);
      await super.close();
      clearTimeout(timer);
    }
  }

  const mark = newMark();
  const transport = new ServerProcess({
    command: server.command,
    args: [...server.args],
    env: { ...ownEnvironment(), ...server.env, [RUN_MARKER]: mark },
    cwd: server.cwd ?? cwd,
    stderr: "pipe",
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  transport.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk));
  return transport;
}

/** Servers get the same environment as tools. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Connects to a URL. `close` ends the session, if the server opened one. */
export async function httpTransport(server: McpServer & { type: "http" }): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");

  class ServerSession extends StreamableHTTPClientTransport {
    #ending: Promise<void> | undefined;

    override close(): Promise<void> {
      this.#ending ??= this.#end();
      return this.#ending;
    }

    async #end(): Promise<void> {
      // Aborts the request, so that a server that does not respond cannot delay closing.
      const timer = setTimeout(() => void super.close(), END_MS);
      await this.terminateSession().catch(() => {});
      clearTimeout(timer);
      await super.close();
    }
  }

  return new ServerSession(new URL(server.url), { requestInit: { headers: server.headers } });
}

/** The two ends of a connection within one process. Messages are copied as JSON, as between processes. */
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
