import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "../../core/mcp-server.ts";

/** How long a server may take to end a session. */
const END_MS = 1000;

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
