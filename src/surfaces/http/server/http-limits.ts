import type { McpLimits } from "../../mcp/http/mcp-limits.ts";
import type { BodyLimits } from "../parts/read-json.ts";

/** The limits of the HTTP server. */
export interface HttpLimits extends Omit<BodyLimits, "openBodies">, McpLimits {
  /** The size of all bodies that are being received, without the first 64 KB of each. Those that began first make room. */
  readonly openBodyBytes: number;
  /** Concurrent calls and reloads, REST and MCP together. */
  readonly calls: number;
  /** Calls and reloads per second on average. A burst may have ten times as many. */
  readonly callsPerSecond: number;
  readonly connections: number;
  /** The timeout for the headers of a request, also on a new connection. */
  readonly headersMs: number;
  /** The timeout for a whole request, body included. */
  readonly requestMs: number;
  /** The timeout for a client to read what was written at one time. */
  readonly unreadMs: number;
  /** The time that running calls have to finish when the server stops. */
  readonly stopMs: number;
  /** The time that running turns of agents have to finish when the server stops. */
  readonly stopTurnsMs: number;
  /** Concurrent event streams of one session, and of all sessions. */
  readonly readersPerSession: number;
  readonly readers: number;
  /** Concurrent event streams of pages. */
  readonly pageReaders: number;
  /** Turns of agents that wait because too many run. */
  readonly queuedTurns: number;
  /** The largest prompt, in bytes. */
  readonly promptBytes: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 4_000_000,
  openBodyBytes: 64_000_000,
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
  stopTurnsMs: 10_000,
  readersPerSession: 100,
  readers: 500,
  pageReaders: 100,
  queuedTurns: 500,
  promptBytes: 1_000_000,
};

/** The limits of a server, and what it counts for them. */
export type ServerLimits = HttpLimits & BodyLimits;
