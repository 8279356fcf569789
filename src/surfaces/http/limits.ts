/** The bounds of the HTTP server. */
export interface HttpLimits {
  /** The largest body of a request, in bytes. */
  readonly bodyBytes: number;
  /** How deep JSON may be nested. */
  readonly depth: number;
  /** Calls and reloads at one time, over REST and MCP together. */
  readonly calls: number;
  /** Calls and reloads in a second, for long; ten times as many may come at once. */
  readonly callsPerSecond: number;
  readonly connections: number;
  /** Within which the head of a request must have come, also on a connection that was just opened. */
  readonly headersMs: number;
  /** Within which a whole request must have come, body included. */
  readonly requestMs: number;
  /** How often a stream of events is told to be alive. */
  readonly heartbeatMs: number;
  /** How long a client may take to read what it was sent at one time. */
  readonly unreadMs: number;
  /** Sessions of MCP clients at one time; beyond it the one that was unused for longest ends. */
  readonly mcpSessions: number;
  /** After how long an unused session of an MCP client ends. */
  readonly mcpIdleMs: number;
  /** How long running calls may take to finish when the server stops. */
  readonly stopMs: number;
}

export const LIMITS: HttpLimits = {
  bodyBytes: 4_000_000,
  depth: 500,
  calls: 100,
  callsPerSecond: 2_000,
  connections: 1_000,
  headersMs: 10_000,
  requestMs: 30_000,
  heartbeatMs: 15_000,
  unreadMs: 60_000,
  mcpSessions: 500,
  mcpIdleMs: 3_600_000,
  stopMs: 3_000,
};
