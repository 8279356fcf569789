import type { ApiDurableEvents, ApiLiveEvents, ApiSessionEvent } from "../../core/api-sessions.ts";
import type { FollowedEvent } from "../../core/session-log.ts";

/** The names of stored events in the REST API, by their type in the log. It does not have the others, such as values of tools. */
const STORED = new Map<string, keyof ApiDurableEvents>([
  ["message.user", "message"],
  ["message.complete", "message"],
  ["tool.start", "tool_use"],
  ["tool.complete", "tool_result"],
  ["tool.failed", "tool_result"],
  ["question.asked", "permission"],
  ["question.answered", "answer"],
  ["usage", "usage"],
  ["session.error", "error"],
  ["session.idle", "completed"],
  ["session.interrupted", "interrupted"],
]);

const LIVE = new Map<string, keyof ApiLiveEvents>([
  ["message.delta", "message_delta"],
  ["thinking.delta", "message_delta"],
  ["tool.update", "tool_update"],
  ["session.partial", "partial"],
]);

/** The event of the REST API for an event of the log. Undefined for those that it does not have. */
export function toSessionEvent(event: FollowedEvent): ApiSessionEvent | undefined {
  const isStored = "position" in event;
  const name = (isStored ? STORED : LIVE).get(event.type);
  if (name === undefined) return undefined;
  if (!isStored) return { event: name, data: liveData(event) } as ApiSessionEvent;
  const { type, position: id, v: _, ...data } = event;
  const role = type === "message.user" ? "user" : "assistant";
  return { event: name, id, data: name === "message" ? { ...data, role } : data } as ApiSessionEvent;
}

function liveData(event: Exclude<FollowedEvent, { readonly position: number }>): object {
  if (event.type === "message.delta") return { messageID: event.messageID, text: event.text };
  if (event.type === "thinking.delta") return { messageID: event.messageID, thinking: event.text };
  const { type: _, ...data } = event;
  return data;
}
