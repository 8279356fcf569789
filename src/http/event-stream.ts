import type { ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "./json-response.ts";

/** The headers of an event stream. `x-accel-buffering` keeps nginx from buffering events. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};

/**
 * Server-sent events on one response. Of the events sent with `sendLatest`, a slow client gets only the latest, so that little
 * is buffered.
 */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #withNext: string | undefined;
  #latest: string | undefined;
  #isFull = false;
  #drain: PromiseWithResolvers<void> | undefined;

  /** Sends nothing before the first event or heartbeat. */
  constructor(outgoing: ServerResponse, heartbeatMs: number) {
    this.#outgoing = outgoing;
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), heartbeatMs).unref();
    outgoing.on("drain", () => this.#onDrain());
    outgoing.once("close", () => {
      clearInterval(this.#heartbeat);
      this.#drain?.resolve();
    });
  }

  get hasBegun(): boolean {
    return this.#outgoing.headersSent;
  }

  /** Sends an event together with the next event or heartbeat. */
  sendWithNext(event: string, data: unknown): void {
    this.#withNext = frame(event, data);
  }

  /** Sends an event that must arrive. Call it rarely, or await `waitForDrain` after each. */
  send(event: string, data: unknown): void {
    this.#flush();
    this.#write(frame(event, data));
  }

  /** Sends an event that replaces earlier ones which are not sent yet. */
  sendLatest(event: string, data: unknown): void {
    if (this.#isFull) this.#latest = frame(event, data);
    else this.#write(frame(event, data));
  }

  /** Resolves when the client can be sent more, or has closed the connection. */
  async waitForDrain(): Promise<void> {
    if (!this.#isFull || this.#outgoing.destroyed) return;
    this.#drain ??= Promise.withResolvers();
    await this.#drain.promise;
  }

  /** Stops heartbeats. If nothing was sent, the response can be used for something else. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  end(): void {
    this.stop();
    this.#outgoing.end();
  }

  #write(text: string): void {
    if (this.#outgoing.destroyed) return;
    if (!this.hasBegun) this.#outgoing.writeHead(200, STREAM_HEADERS);
    const before = this.#withNext ?? "";
    this.#withNext = undefined;
    this.#isFull = !this.#outgoing.write(before + text);
  }

  #sendHeartbeat(): void {
    if (!this.#isFull) this.#write(": alive\n\n");
  }

  #onDrain(): void {
    this.#isFull = false;
    this.#drain?.resolve();
    this.#drain = undefined;
    this.#flush();
  }

  #flush(): void {
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest !== undefined) this.#write(latest);
  }
}

/** `JSON.stringify` writes no line breaks, so the data is one line. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
