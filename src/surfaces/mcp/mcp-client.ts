import type { ClientCapabilities, InputRequest, InputResponse, LoggingLevel } from "@modelcontextprotocol/server";

/** The `clientInfo` of a client. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** The client of a running request, for tools, resources and prompts in code. */
export interface McpClient {
  readonly info: ClientIdentity | undefined;
  readonly capabilities: ClientCapabilities;
  /**
   * Sends the client several requests at once: elicitation, sampling, roots. Each response has the key of its request.
   * Rejects if the client lacks a capability or does not answer.
   */
  ask<K extends string>(
    requests: Readonly<Record<K, InputRequest>>,
    signal?: AbortSignal,
  ): Promise<Record<K, InputResponse>>;
  /** Sends a log message, if the client wants messages of this level. Never rejects. */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
}
