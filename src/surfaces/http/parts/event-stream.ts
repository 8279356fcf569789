import type { ServerResponse } from "node:http";
import { printableJson } from "../../../platform/text/printable.ts";
import { SECURITY_HEADERS } from "./json-response.ts";
import { waitForDrain } from "./wait-for-drain.ts";

/** The headers of an event stream. `x-accel-buffering` keeps nginx from buffering events. */
const STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};

const HEARTBEAT = ": alive\n\n";

/**
 * Server-sent events on one response. Of the events sent with `sendLatest`, a slow client gets only the latest, so that little
 * is buffered.
 */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #withNext: string | undefined;
  #latest: string | undefined;

  /** Sends nothing before the first event or heartbeat. */
  constructor(outgoing: ServerResponse, heartbeatMs: number) {
    this.#outgoing = outgoing;
    this.#heartbeat = setInterval(() => this.writeIfRead(HEARTBEAT), heartbeatMs).unref();
    outgoing.on("drain", () => this.#flush());
    outgoing.once("close", () => this.stop());
  }

  get hasBegun(): boolean {
    return this.#outgoing.headersSent;
  }

  /** The number of bytes that wait in this process until the client reads. */
  get unread(): number {
    return this.#outgoing.writableLength;
  }

  /** Sends the headers. The end of the connection then ends the stream, so that Node writes events as they are. */
  begin(): void {
    this.#outgoing.removeHeader("transfer-encoding");
    this.#outgoing.writeHead(200, { ...STREAM_HEADERS, connection: "close" });
    this.#outgoing.flushHeaders();
  }

  /** Sends an event together with the next event or heartbeat. */
  sendWithNext(event: string, data: unknown): void {
    this.#withNext = eventFrame({ event, data });
  }

  /** Sends an event that must arrive. Call it rarely, or await `waitForDrain` after each. */
  send(event: string, data: unknown): void {
    this.#flush();
    this.write(eventFrame({ event, data }));
  }

  /** Sends an event that replaces earlier ones which are not sent yet. */
  sendLatest(event: string, data: unknown): void {
    if (this.#outgoing.writableNeedDrain) this.#latest = eventFrame({ event, data });
    else this.write(eventFrame({ event, data }));
  }

  /** Sends a frame that must arrive. Returns false if the client has to read before more is sent. */
  write(frame: string | Uint8Array): boolean {
    // A response that has ended stays open until the client has read it. To write to it is an error.
    if (this.#outgoing.destroyed || this.#outgoing.writableEnded) return true;
    if (!this.hasBegun) this.#outgoing.writeHead(200, STREAM_HEADERS);
    const before = this.#withNext;
    this.#withNext = undefined;
    return this.#outgoing.write(
      before === undefined ? frame : Buffer.concat([Buffer.from(before), Buffer.from(frame)]),
    );
  }

  /** Sends a frame, unless the client has not read the ones before. */
  writeIfRead(frame: string | Uint8Array): void {
    if (!this.#outgoing.writableNeedDrain) this.write(frame);
  }

  /** Resolves when the client can be sent more, or has closed the connection. */
  waitForDrain(): Promise<void> {
    return waitForDrain(this.#outgoing);
  }

  /** Stops heartbeats. If nothing was sent, the response can be used for something else. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  end(): void {
    this.stop();
    this.#outgoing.end();
  }

  destroy(): void {
    this.#outgoing.destroy();
  }

  #flush(): void {
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest !== undefined) this.write(latest);
  }
}

/** An event as it is sent. `printableJson` writes no line breaks, so the data is one line. */
export function eventFrame({ event, id, data }: { event: string; id?: number; data: unknown }): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${printableJson(data)}\n\n`;
}
