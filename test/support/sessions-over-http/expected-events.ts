import type { StoredEvent } from "../../../src/core/session-log.ts";

/** A durable event as clients must see it. */
export interface ExpectedEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

/** The names of the events that clients see, by the type of the stored event. Others are not sent. */
const NAMES: Readonly<Record<string, string>> = {
  "message.user": "message",
  "message.complete": "message",
  "tool.start": "tool_use",
  "tool.complete": "tool_result",
  "tool.failed": "tool_result",
  "question.asked": "permission",
  "question.answered": "answer",
  usage: "usage",
  "session.error": "error",
  "session.idle": "completed",
  "session.interrupted": "interrupted",
};

/** What a client that reads a session from its begin to its end must see, without a gap or a double. */
export function expectedEvents(log: readonly StoredEvent[]): ExpectedEvent[] {
  return log.flatMap(({ type, position, v: _, ...data }) => {
    const event = NAMES[type];
    if (event === undefined) return [];
    const role = event === "message" ? { role: type === "message.user" ? "user" : "assistant" } : {};
    return [{ id: position, event, data: { ...role, ...data } }];
  });
}
