import type { SessionEvent } from "../../../core/session.ts";

/** An event for handlers of pi. */
export interface PiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events that current and older versions of pi and oh-my-pi emit for a session event. */
export function toPiEvents(event: SessionEvent, leafId: string | null): PiEvent[] {
  switch (event.reason) {
    case "start":
      return [{ ...started(event.resumed ? "resume" : "new", event.previousSessionFile) }];
    case "switch":
      return [
        { type: "session_switch", reason: "resume", previousSessionFile: event.previousSessionFile },
        started("resume", event.previousSessionFile),
      ];
    case "branch":
      return [
        { type: "session_fork", previousSessionFile: event.previousSessionFile },
        { type: "session_branch", previousSessionFile: event.previousSessionFile },
        started("fork", event.previousSessionFile),
      ];
    case "tree":
      return [{ type: "session_tree", newLeafId: leafId, oldLeafId: null }];
    case "shutdown":
      return [{ type: "session_shutdown", reason: "quit" }];
    case "auto_compaction_start":
      return [{ type: event.reason, reason: event.trigger }];
    case "auto_compaction_end":
      return [{ ...event, type: event.reason }, ...compacted(event)];
    default:
      return [{ ...event, type: event.reason }];
  }
}

/** The events of pi that Toolwright emits. All others need an agent. */
export const DELIVERED_EVENTS: ReadonlySet<string> = new Set([
  "session_start",
  "session_switch",
  "session_fork",
  "session_branch",
  "session_tree",
  "session_shutdown",
  "session_compact",
  "auto_compaction_start",
  "auto_compaction_end",
  "auto_retry_start",
  "auto_retry_end",
  "ttsr_triggered",
  "todo_reminder",
  "tool_call",
  "tool_result",
  "tool_execution_start",
  "tool_execution_end",
]);

function started(reason: string, previousSessionFile: string | undefined): PiEvent {
  return { type: "session_start", reason, previousSessionFile };
}

function compacted({ result, willRetry }: { result?: unknown; willRetry: boolean }): PiEvent[] {
  if (result === undefined || result === null) return [];
  return [{ type: "session_compact", compactionEntry: result, fromExtension: false, reason: "threshold", willRetry }];
}
