import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpServer } from "../../core/mcp-server.ts";
import { killTree } from "../../process/process-tree.ts";
import type { LastLines } from "./last-lines.ts";

/** How long a server may take to end by itself once its stdin is closed. */
const END_MS = 1000;
/** A single message: the answer of a call may hold files. The client takes ever longer over larger ones. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;

/** A server that is started as a process, and ended with everything that it has started. */
export async function stdioTransport(
  server: McpServer & { type: "stdio" },
  cwd: string,
  said: LastLines,
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
