import type { LoggingLevel } from "@modelcontextprotocol/server";

const LEVELS: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Whether a message of this level is at least as severe as `minimum`. */
export function isWantedAt(level: LoggingLevel, minimum: LoggingLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(minimum);
}

const STAMPED = /^\d{4}-\d\d-\d\dT\S+ (debug|info|warn|error) /;

/** The level in a line of a tool's log; "info" for other output. */
export function logLevelOf(line: string): LoggingLevel {
  const [, level] = STAMPED.exec(line) ?? [];
  return level === "warn" ? "warning" : ((level as LoggingLevel | undefined) ?? "info");
}
