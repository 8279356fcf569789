import type { ApiSessionEvent } from "../../../core/api-sessions.ts";
import type { FollowedEvent } from "../../../core/session-log.ts";
import { toSessionEvent } from "../../../sessions/log/to-session-event.ts";
import { eventFrame } from "../parts/event-stream.ts";

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
