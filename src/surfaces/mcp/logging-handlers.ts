import type { LoggingLevel } from "@modelcontextprotocol/server";
import type { PrintedBy } from "../../core/log.ts";
import type { ClientConnection } from "./client-connection.ts";
import { isWantedAt } from "./log-levels.ts";
import { PrintRelay } from "./print-relay.ts";

/** Handles `logging/setLevel`, and sends what tools print to the client's log, if the source passes it on. */
export function handleLogging(connection: ClientConnection): void {
  const { server, state } = connection;
  const { source } = state;
  if (!source.onPrint) return;
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    connection.logLevel = params.level;
    return {};
  });
  const relay = new PrintRelay((level, text, callID) => sendPrinted(connection, level, text, callID));
  connection.onClose(
    source.onPrint((text, by) => {
      if (mayRead(connection, by)) relay.add(text, by?.callID);
    }),
  );
}

/** Output that cannot be attributed to a call is shown only to a client that is the only one. */
function mayRead({ kind, sessions, running }: ClientConnection, by: PrintedBy | undefined): boolean {
  if (!by) return kind.isOnlyClient;
  if (kind.era === "legacy") return sessions.has(by.sessionID);
  return [...running].some(({ callID }) => callID === by.callID);
}

/** A legacy client gets output only after it has set a level. Modern clients set one with each request. Never rejects. */
async function sendPrinted(
  { server, kind, running, logLevel, isReady }: ClientConnection,
  level: LoggingLevel,
  data: string,
  printedBy: string | undefined,
): Promise<void> {
  if (kind.era === "modern") {
    const requests = [...running].filter(({ callID }) => printedBy === undefined || callID === printedBy);
    await Promise.all(requests.map((request) => request.log(level, data, "tools")));
  } else if (isReady && logLevel !== undefined && isWantedAt(level, logLevel)) {
    const params = { level, data, logger: "tools" };
    await server.notification({ method: "notifications/message", params }).catch(() => {});
  }
}
