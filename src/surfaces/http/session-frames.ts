import type { ApiSessionEvent } from "../../core/api-sessions.ts";
import type { FollowedEvent, StoredEvent } from "../../core/session-log.ts";
import { eventFrame } from "../../http/event-stream.ts";

type Durable = ApiSessionEvent & { readonly id: number };

/** The event of the REST API for an event of the log. Undefined for those that it does not have, such as values of tools. */
export function toSessionEvent(event: FollowedEvent): ApiSessionEvent | undefined {
  if ("position" in event) return toDurable(event);
  const { type, ...data } = event;
  switch (type) {
    case "message.delta":
      return { event: "message_delta", data: { messageID: event.messageID, text: event.text } };
    case "thinking.delta":
      return { event: "message_delta", data: { messageID: event.messageID, thinking: event.text } };
    case "tool.update":
      return { event: "tool_update", data } as ApiSessionEvent;
    case "session.partial":
      return { event: "partial", data } as ApiSessionEvent;
    default:
      return undefined;
  }
}

function toDurable({ position: id, v: _, ...event }: StoredEvent): Durable | undefined {
  const { type, ...data } = event;
  switch (type) {
    case "message.user":
      return { event: "message", id, data: { ...data, role: "user" } } as Durable;
    case "message.complete":
      return { event: "message", id, data: { ...data, role: "assistant" } } as Durable;
    case "tool.start":
      return { event: "tool_use", id, data } as Durable;
    case "tool.complete":
    case "tool.failed":
      return { event: "tool_result", id, data } as Durable;
    case "question.asked":
      return { event: "permission", id, data } as Durable;
    case "question.answered":
      return { event: "answer", id, data } as Durable;
    case "usage":
      return { event: "usage", id, data } as Durable;
    case "session.error":
      return { event: "error", id, data } as Durable;
    case "session.idle":
      return { event: "completed", id, data } as Durable;
    case "session.interrupted":
      return { event: "interrupted", id, data } as Durable;
    default:
      return undefined;
  }
}

const frames = new WeakMap<FollowedEvent, Uint8Array>();
const NOTHING = new Uint8Array();

/**
 * The bytes of an event in a stream of server-sent events; none if the REST API does not have it. They are made once for all
 * readers that share the event.
 */
export function frameOf(event: FollowedEvent): Uint8Array {
  const known = frames.get(event);
  if (known) return known;
  const sent = toSessionEvent(event);
  const frame = sent ? toFrame(sent) : NOTHING;
  frames.set(event, frame);
  return frame;
}

export function toFrame(event: ApiSessionEvent): Uint8Array {
  return Buffer.from(eventFrame(event));
}
