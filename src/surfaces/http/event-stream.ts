import type { ServerResponse } from "node:http";
import { SAFE_HEADERS } from "./refusal.ts";

/** The last is for proxies that would keep events back until there are many. */
const HEADERS = { ...SAFE_HEADERS, "content-type": "text/event-stream", "x-accel-buffering": "no" };

/**
 * Server-sent events on one response. A reader that is too slow misses news that newer news replaces, and nothing else
 * waits for it: what is not read yet stays small.
 */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #beating: NodeJS.Timeout;
  #held: string | undefined;
  #latest: string | undefined;
  #isFull = false;
  #room: PromiseWithResolvers<void> | undefined;

  /** Nothing is sent before the first event, or the first sign of life. */
  constructor(outgoing: ServerResponse, heartbeatMs: number) {
    this.#outgoing = outgoing;
    this.#beating = setInterval(() => this.#beat(), heartbeatMs).unref();
    outgoing.on("drain", () => this.#drained());
    outgoing.once("close", () => {
      clearInterval(this.#beating);
      this.#room?.resolve();
    });
  }

  get hasBegun(): boolean {
    return this.#outgoing.headersSent;
  }

  /** Sends an event as soon as anything else is sent. */
  hold(event: string, data: unknown): void {
    this.#held = frame(event, data);
  }

  /** Sends an event that must not be missed: there may be few of these, or each waits for `room`. */
  send(event: string, data: unknown): void {
    this.#flush();
    this.#write(frame(event, data));
  }

  /** Sends an event of which only the newest counts. */
  sendNews(event: string, data: unknown): void {
    if (this.#isFull) this.#latest = frame(event, data);
    else this.#write(frame(event, data));
  }

  /** Waits until the reader has read enough to be sent more, or is gone. */
  async room(): Promise<void> {
    if (!this.#isFull || this.#outgoing.destroyed) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  /** Sends nothing more, and lets another answer be given where nothing has been sent. */
  stop(): void {
    clearInterval(this.#beating);
  }

  end(): void {
    this.stop();
    this.#outgoing.end();
  }

  #write(text: string): void {
    if (this.#outgoing.destroyed) return;
    if (!this.hasBegun) this.#outgoing.writeHead(200, HEADERS);
    const held = this.#held ?? "";
    this.#held = undefined;
    this.#isFull = !this.#outgoing.write(held + text);
  }

  #beat(): void {
    if (!this.#isFull) this.#write(": alive\n\n");
  }

  #drained(): void {
    this.#isFull = false;
    this.#room?.resolve();
    this.#room = undefined;
    this.#flush();
  }

  #flush(): void {
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest !== undefined) this.#write(latest);
  }
}

/** JSON has no line breaks outside of its strings, and inside they are escaped: one line is enough. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
