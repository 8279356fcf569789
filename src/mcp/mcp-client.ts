import type { ClientCapabilities, InputRequest, InputResponse, LoggingLevel } from "@modelcontextprotocol/server";

/** What a client says of itself. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** The session of calls whose client has none of its own: all such clients share it. */
export const SHARED_SESSION_ID = "default";

/** The client of a request that is being served, for whoever serves it in code. */
export interface McpClient {
  readonly info: ClientIdentity | undefined;
  readonly capabilities: ClientCapabilities;
  /**
   * Asks the client for several things at once: what its user says, what its model says, where its roots are. Each
   * answer has the key of its request. Rejects where the client cannot be asked, or does not answer.
   */
  ask<K extends string>(
    requests: Readonly<Record<K, InputRequest>>,
    signal?: AbortSignal,
  ): Promise<Record<K, InputResponse>>;
  /** Sends a message to the client's log, where the client wants messages of this level. Never rejects. */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
}
