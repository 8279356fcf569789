/** Handles the messages that a server sends on its own. */
export interface ServerListener {
  notified(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Answers a request of the server. A rejection becomes an error response. */
  requested(method: string, params: Readonly<Record<string, unknown>>): Promise<object>;
  /** The connection has ended. `reason` is a sentence. */
  ended(reason: string): void;
}

export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** `_meta` of a request with this id. */
  readonly meta?: (id: number) => object;
}

/**
 * A connection to an MCP server. The client of the MCP SDK is not used: it would add 45 ms and 20 MB to each start of pi (ours
 * takes 4 ms), it refuses results with kinds of content that it does not know, and its stdio transport does not tell the exit
 * code of a server.
 */
export interface ServerConnection {
  /** Rejects with the server's message, when the connection ends, or when `signal` fires: then the server is told. */
  request(method: string, params: object, options?: McpRequestOptions): Promise<Readonly<Record<string, unknown>>>;
  notify(method: string, params?: object): void;
  /** Never rejects. */
  close(): Promise<void>;
}
