import type { ServerResponse } from "node:http";
import type { SessionStore } from "../../core/session-store.ts";
import type { ErrorResponse } from "../../http/error-response.ts";
import { STREAM_HEADERS } from "../../http/event-stream.ts";
import { waitForDrain } from "../../http/wait-for-drain.ts";
import { followLog } from "../../sessions/follow-log.ts";
import type { QueuePlace } from "../../sessions/turn-slots.ts";
import type { HttpLimits } from "./http-limits.ts";
import { frameOf, toFrame } from "./session-frames.ts";

const HEARTBEAT = Buffer.from(": alive\n\n");

/** The events that a stream sends. */
export interface EventSource {
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
  readonly #bySession = new Map<string, Set<ServerResponse>>();
  readonly #open = new Set<ServerResponse>();
  readonly #stop = new AbortController();
  #heartbeat: NodeJS.Timeout | undefined;
  #ended: (() => void) | undefined;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** The number of open streams. */
  get count(): number {
    return this.#open.size;
  }

  /** Why a session cannot have one more reader; undefined if it can. */
  refusal(sessionID: string): ErrorResponse | undefined {
    const { readers, readersPerSession } = this.#limits;
    const headers = { "retry-after": "5" };
    if ((this.#bySession.get(sessionID)?.size ?? 0) >= readersPerSession) {
      const message = `The session has ${readersPerSession} readers, which is the limit. Close one, then try again.`;
      return { code: "too_many_requests", message, headers };
    }
    if (this.#open.size < readers) return undefined;
    const message = `Sessions have ${readers} readers in total, which is the limit. Close one, then try again.`;
    return { code: "busy", message, headers };
  }

  /** Sends the place of a session's turn in the queue, which is not in the log, to the readers of the session. */
  sendPlace({ sessionID, position }: QueuePlace): void {
    const frame = toFrame({ event: "queued", data: { position } });
    for (const outgoing of this.#bySession.get(sessionID) ?? []) writeIfRead(outgoing, frame);
  }

  /**
   * Sends the events of a session after a position, until the client closes the connection, the session is removed, or the
   * readers are closed. Never rejects.
   */
  async serve(outgoing: ServerResponse, source: EventSource): Promise<void> {
    // The client has left while the session was looked up: there will be no event "close".
    if (outgoing.destroyed) return;
    const { sessionID } = source;
    const closed = new AbortController();
    outgoing.once("close", () => closed.abort());
    this.#enter(sessionID, outgoing);
    // The length is not known, and the end of the connection ends the response: Node then writes events as they are.
    outgoing.removeHeader("transfer-encoding");
    outgoing.writeHead(200, { ...STREAM_HEADERS, connection: "close" });
    outgoing.flushHeaders();
    const signal = AbortSignal.any([closed.signal, this.#stop.signal]);
    await sendEvents(source, outgoing, signal);
    outgoing.end();
  }

  /** Ends all streams. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#ended = resolve));
  }

  #enter(sessionID: string, outgoing: ServerResponse): void {
    this.#open.add(outgoing);
    const readers = this.#bySession.get(sessionID) ?? new Set();
    this.#bySession.set(sessionID, readers.add(outgoing));
    this.#heartbeat ??= setInterval(() => this.#sendHeartbeats(), this.#limits.heartbeatMs).unref();
    outgoing.once("close", () => this.#leave(sessionID, outgoing));
  }

  #leave(sessionID: string, outgoing: ServerResponse): void {
    this.#open.delete(outgoing);
    const readers = this.#bySession.get(sessionID);
    readers?.delete(outgoing);
    if (readers?.size === 0) this.#bySession.delete(sessionID);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#ended?.();
  }

  #sendHeartbeats(): void {
    for (const outgoing of this.#open) writeIfRead(outgoing, HEARTBEAT);
  }
}

/** A response that has ended stays open until the client has read it. To write to it is an error. */
function writeIfRead(outgoing: ServerResponse, frame: Uint8Array): void {
  if (!outgoing.writableNeedDrain && !outgoing.writableEnded) outgoing.write(frame);
}

/** A client that does not keep up is sent stored events again, from its position on: nothing is buffered for it. */
async function sendEvents(source: EventSource, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const { store, sessionID, after, last } = source;
  const sendPlace = (): void => {
    const place = source.place();
    if (place !== undefined) outgoing.write(toFrame({ event: "queued", data: { position: place } }));
  };
  if (after >= last) sendPlace();
  try {
    for await (const event of followLog(store, sessionID, after, signal)) {
      const frame = frameOf(event);
      const isFull = frame.length > 0 && !outgoing.write(frame);
      if ("position" in event && event.position === last) sendPlace();
      if (isFull) await waitForDrain(outgoing);
    }
  } catch {
    // The client learns the reason when it connects again.
  }
}
