export interface McpLimits {
  /** Concurrent MCP sessions. Beyond it the least recently used session ends. */
  readonly mcpSessions: number;
  /** An MCP session that is idle for this long ends. */
  readonly mcpIdleMs: number;
  /** The interval of heartbeats on event streams. */
  readonly heartbeatMs: number;
}
