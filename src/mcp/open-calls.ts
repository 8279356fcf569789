import type { McpClient } from "./mcp-client.ts";

/** Which client made a call, for as long as the call runs. */
export class OpenCalls {
  readonly #clients = new Map<string, McpClient>();

  /** Remembers a call. Answers with what forgets it. */
  open(callID: string, client: McpClient): () => void {
    this.#clients.set(callID, client);
    return () => void this.#clients.delete(callID);
  }

  /** The client of a running call; undefined where the call came from elsewhere. */
  clientOf(callID: string): McpClient | undefined {
    return this.#clients.get(callID);
  }
}
