import type { ServerResponse } from "node:http";
import type { ApiSessionEvent } from "../../../core/api-sessions.ts";
import type { FollowedEvent } from "../../../core/session-log.ts";
import type { SessionStore } from "../../../core/session-store.ts";
import { followLog } from "../../../sessions/follow-log.ts";
import { toSessionEvent } from "../../../sessions/log/to-session-event.ts";
import type { QueuePlace } from "../../../sessions/turn-slots.ts";
import type { ErrorResponse } from "../parts/error-response.ts";
import { type EventStream, eventFrame } from "../parts/event-stream.ts";
import { StreamPool } from "../parts/stream-pool.ts";
import type { HttpLimits } from "./http-limits.ts";

/** The events that a stream sends. */
interface EventSource {
  readonly store: SessionStore;
  readonly sessionID: string;
  /** The position after which it begins. */
  readonly after: number;
  /** The position of the last event that is stored when it begins. */
  readonly last: number;
  /** The place of the session's turn in the queue, if it waits. */
  place(): number | undefined;
}

/**
 * The open event streams of sessions. Readers of one session share the bytes of each event, which are written to the responses of
 * Node directly: through the streams of the web API, 1,000 readers cost several times as much.
 */
export class SessionReaders {
  readonly #limits: HttpLimits;
  /** The open streams, by session. */
  readonly #open: StreamPool;
  readonly #stop = new AbortController();

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    this.#open = new StreamPool(limits.heartbeatMs);
  }

  get count(): number {
    return this.#open.count;
  }

  /** Why a session cannot have one more reader; undefined if it can. */
  refusal(sessionID: string): ErrorResponse | undefined {
    const { readers, readersPerSession } = this.#limits;
    const headers = { "retry-after": "5" };
    if (this.#open.streams(sessionID).size >= readersPerSession) {
      const message = `The session has ${readersPerSession} readers, which is the limit. Close one, then try again.`;
      return { code: "too_many_requests", message, headers };
    }
    if (this.count < readers) return undefined;
    const message = `Sessions have ${readers} readers in total, which is the limit. Close one, then try again.`;
    return { code: "busy", message, headers };
  }

  /** Sends the place of a session's turn in the queue, which is not in the log, to the readers of the session. */
  sendPlace({ sessionID, position }: QueuePlace): void {
    const frame = toFrame({ event: "queued", data: { position } });
    for (const stream of this.#open.streams(sessionID)) stream.writeIfRead(frame);
  }

  /**
   * Sends the events of a session after a position, until the client closes the connection, the session is removed, or the
   * readers are closed. Never rejects.
   */
  async serve(outgoing: ServerResponse, source: EventSource): Promise<void> {
    // The client has left while the session was looked up: there will be no event "close".
    if (outgoing.destroyed) return;
    const closed = new AbortController();
    outgoing.once("close", () => closed.abort());
    const stream = this.#open.open(source.sessionID, outgoing);
    await sendEvents(source, stream, AbortSignal.any([closed.signal, this.#stop.signal]));
    stream.end();
  }

  /** Ends all streams. Resolves when they have ended. */
  close(): Promise<void> {
    this.#stop.abort();
    return this.#open.close();
  }
}

/** A client that does not keep up is sent stored events again, from its position on: nothing is buffered for it. */
async function sendEvents(source: EventSource, stream: EventStream, signal: AbortSignal): Promise<void> {
  const { store, sessionID, after, last } = source;
  const sendPlace = (): void => {
    const place = source.place();
    if (place !== undefined) stream.write(toFrame({ event: "queued", data: { position: place } }));
  };
  if (after >= last) sendPlace();
  try {
    for await (const event of followLog(store, sessionID, after, { signal })) {
      const frame = frameOf(event);
      const isFull = frame.length > 0 && !stream.write(frame);
      if ("position" in event && event.position === last) sendPlace();
      if (isFull) await stream.waitForDrain();
    }
  } catch {
    // The client learns the reason when it connects again.
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

function toFrame(event: ApiSessionEvent): Uint8Array {
  return Buffer.from(eventFrame(event));
}
