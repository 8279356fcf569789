import type { McpClient } from "./mcp-client.ts";

/** The MCP client of each running call, so that a question about a call goes to the client that made it. */
export class OpenCalls {
  readonly #clients = new Map<string, McpClient>();

  /** Adds a call. The returned function removes it. */
  open(callID: string, client: McpClient): () => void {
    this.#clients.set(callID, client);
    return () => void this.#clients.delete(callID);
  }

  /** Undefined for a call that no MCP client made. */
  clientOf(callID: string): McpClient | undefined {
    return this.#clients.get(callID);
  }
}
