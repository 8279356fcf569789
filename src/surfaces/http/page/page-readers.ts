import type { ServerResponse } from "node:http";
import type { ApiPageEvents } from "../../../core/api-page.ts";
import type { ErrorResponse } from "../../../http/error-response.ts";
import { STREAM_HEADERS } from "../../../http/event-stream.ts";
import type { HttpLimits } from "../http-limits.ts";

/** A page that has not read so many bytes is disconnected: it connects again, and reads all again. */
const MAX_UNREAD_BYTES = 1_000_000;

const HEARTBEAT = Buffer.from(": alive\n\n");

/** The open event streams of pages. All get the same bytes. */
export class PageReaders {
  readonly #limits: Pick<HttpLimits, "pageReaders" | "heartbeatMs">;
  readonly #open = new Set<ServerResponse>();
  readonly #onEmpty: () => void;
  #heartbeat: NodeJS.Timeout | undefined;

  /** `onEmpty` is called when the last stream has ended. */
  constructor(limits: Pick<HttpLimits, "pageReaders" | "heartbeatMs">, onEmpty: () => void) {
    this.#limits = limits;
    this.#onEmpty = onEmpty;
  }

  /** Begins a stream with a first event. Returns an error if there are too many. */
  add(outgoing: ServerResponse, hello: ApiPageEvents["hello"]): ErrorResponse | undefined {
    const { pageReaders, heartbeatMs } = this.#limits;
    if (this.#open.size >= pageReaders) {
      const message = `${pageReaders} pages are open, which is the limit. Close one, then try again.`;
      return { code: "busy", message, headers: { "retry-after": "5" } };
    }
    this.#open.add(outgoing);
    outgoing.once("close", () => this.#remove(outgoing));
    outgoing.writeHead(200, STREAM_HEADERS);
    outgoing.write(frame("hello", hello));
    this.#heartbeat ??= setInterval(() => this.#write(HEARTBEAT), heartbeatMs).unref();
    return undefined;
  }

  send<E extends keyof ApiPageEvents>(event: E, data: ApiPageEvents[E]): void {
    this.#write(frame(event, data));
  }

  close(): void {
    for (const outgoing of this.#open) outgoing.end();
  }

  #write(bytes: Buffer): void {
    for (const outgoing of [...this.#open]) {
      if (outgoing.writableLength > MAX_UNREAD_BYTES) outgoing.destroy();
      else if (!outgoing.writableEnded) outgoing.write(bytes);
    }
  }

  #remove(outgoing: ServerResponse): void {
    this.#open.delete(outgoing);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#onEmpty();
  }
}

/** `JSON.stringify` writes no line breaks, so the data is one line. */
function frame(event: string, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
