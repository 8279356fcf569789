import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isWantedAt } from "./log-levels.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import type { Round } from "./round.ts";

/** Who is on the other side, and how it is spoken to. */
export interface Peer {
  readonly info: ClientIdentity | undefined;
  readonly capabilities: ClientCapabilities;
  /** Whether questions are results that the client comes back with, or requests of our own. */
  readonly asksByResult: boolean;
  readonly askMs: number;
  /** Whether it wants messages, and takes none once its request is answered. */
  readonly hearsUntilAnswered: boolean;
  /** Sends a message about a request to the client's log, if the client wants it. Must not reject. */
  log(round: Round, level: LoggingLevel, data: unknown, logger: string | undefined): Promise<void>;
}

/** A client of the older era: it has said once who it is and what it can do, and perhaps from which level on it wants messages. */
export function olderPeer(server: Server, level: () => LoggingLevel | undefined, askMs: number): Peer {
  return {
    info: server.getClientVersion(),
    capabilities: server.getClientCapabilities() ?? {},
    asksByResult: false,
    askMs,
    hearsUntilAnswered: false,
    log: (round, ...message) => sendLog(round, level() ?? "debug", ...message),
  };
}

/** A client of the newer era: it says all that with each request, and without a level it wants no messages. */
export function newerPeer(request: ServerContext, askMs: number): Peer {
  const envelope = (request.mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  return {
    info: envelope[CLIENT_INFO_META_KEY] as ClientIdentity | undefined,
    capabilities: (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities,
    asksByResult: true,
    askMs,
    hearsUntilAnswered: levelIn(request) !== undefined,
    log: (round, ...message) => sendLog(round, levelIn(round), ...message),
  };
}

function levelIn({ mcpReq }: Round): LoggingLevel | undefined {
  return (mcpReq.envelope as Readonly<Record<string, LoggingLevel | undefined>> | undefined)?.[LOG_LEVEL_META_KEY];
}

async function sendLog(
  { mcpReq }: Round,
  least: LoggingLevel | undefined,
  level: LoggingLevel,
  data: unknown,
  logger: string | undefined,
): Promise<void> {
  if (least === undefined || !isWantedAt(level, least)) return;
  const params = { level, data, ...(logger === undefined ? {} : { logger }) };
  // A client that is gone closes the connection by itself.
  await mcpReq.notify({ method: "notifications/message", params }).catch(() => {});
}
