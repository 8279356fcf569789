import type { ReactElement } from "react";
import type { SessionStatus } from "../../../src/core/session-log.ts";
import { Badge, type Tone } from "../components/badge.tsx";

export const STATUSES: readonly SessionStatus[] = ["running", "waiting", "idle", "error", "interrupted"];

const SHOWN: Readonly<Record<SessionStatus, readonly [Tone, string, string]>> = {
  running: ["accent", "running", "The agent works on a turn."],
  waiting: ["warn", "needs an answer", "A question is open. The turn waits for your answer."],
  idle: ["neutral", "idle", "No turn runs. Send a message to go on."],
  error: ["bad", "error", "The last turn failed."],
  interrupted: [
    "warn",
    "interrupted",
    "The program that ran the turn ended before the turn did. Send a message to go on.",
  ],
};

/** The status of a session in words. A turn that waits for others shows its place. */
export function StatusBadge({
  status,
  queuePosition = 0,
}: {
  readonly status: SessionStatus;
  readonly queuePosition?: number | undefined;
}): ReactElement {
  if (queuePosition > 0) {
    return (
      <Badge tone="accent" title="Too many turns run. This one begins when others have ended.">
        queued, place {queuePosition}
      </Badge>
    );
  }
  const [tone, text, title] = SHOWN[status] ?? ["neutral", status, ""];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}
