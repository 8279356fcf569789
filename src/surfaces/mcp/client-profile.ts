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
import type { RequestContext } from "./request-context.ts";

/** The declarations of a client, and how its protocol era handles questions and log messages. */
export interface ClientProfile {
  readonly info: ClientIdentity | undefined;
  readonly capabilities: ClientCapabilities;
  /** Whether the client is asked by `input_required` results. Otherwise the server sends it requests. */
  readonly usesInputRequired: boolean;
  readonly askMs: number;
  /** Whether the client wants log messages, and accepts none about a request after the response to it. */
  readonly takesLogsUntilResponse: boolean;
  /** Sends a log message related to a request, if the client wants messages of that level. Must not reject. */
  log(context: RequestContext, message: LogMessage): Promise<void>;
}

interface LogMessage {
  readonly level: LoggingLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** A client up to 2025-11-25 declares everything once, in `initialize`, and may set a log level. */
export function legacyClientProfile(
  server: Server,
  level: () => LoggingLevel | undefined,
  askMs: number,
): ClientProfile {
  return {
    info: server.getClientVersion(),
    capabilities: server.getClientCapabilities() ?? {},
    usesInputRequired: false,
    askMs,
    takesLogsUntilResponse: false,
    log: (context, message) => sendLog(context, level() ?? "debug", message),
  };
}

/** A client from 2026-07-28 on declares everything with each request, and gets log messages only if it names a level. */
export function modernClientProfile(context: ServerContext, askMs: number): ClientProfile {
  const envelope = (context.mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  return {
    info: envelope[CLIENT_INFO_META_KEY] as ClientIdentity | undefined,
    capabilities: (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities,
    usesInputRequired: true,
    askMs,
    takesLogsUntilResponse: levelIn(context) !== undefined,
    log: (current, message) => sendLog(current, levelIn(current), message),
  };
}

function levelIn({ mcpReq }: RequestContext): LoggingLevel | undefined {
  return (mcpReq.envelope as Readonly<Record<string, LoggingLevel | undefined>> | undefined)?.[LOG_LEVEL_META_KEY];
}

async function sendLog(
  { mcpReq }: RequestContext,
  minimum: LoggingLevel | undefined,
  message: LogMessage,
): Promise<void> {
  if (minimum === undefined || !isWantedAt(message.level, minimum)) return;
  // A failed send means that the client is gone, which closes the connection.
  await mcpReq.notify({ method: "notifications/message", params: { ...message } }).catch(() => {});
}
