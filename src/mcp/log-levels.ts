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

/** Whether a message of a level is wanted by whoever wants `least` and everything graver. */
export function isWantedAt(level: LoggingLevel, least: LoggingLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

const STAMPED = /^\d{4}-\d\d-\d\dT\S+ (debug|info|warn|error) /;

/** The level that a line of a log has: those that tool files write with a level say so, all else is what they print. */
export function levelOf(line: string): LoggingLevel {
  const [, said] = STAMPED.exec(line) ?? [];
  return said === "warn" ? "warning" : ((said as LoggingLevel | undefined) ?? "info");
}
