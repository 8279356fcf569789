import { setTimeout as sleep } from "node:timers/promises";
import { readEvents } from "./read-sse.ts";
import { type SessionServer, TOKEN } from "./session-server.ts";

/** An event as a client got it. Only durable ones have an id. */
export interface SeenEvent {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The number of the connection on which it came. */
  readonly connection: number;
}

export interface ReaderOptions {
  /** Whether to close the connection now, by the number of events on it. It is opened again at once. */
  readonly leaves?: (events: number) => boolean;
  /** How to say where to go on. */
  readonly resumesBy?: () => "header" | "query";
  /** Called with each event. */
  readonly onEvent?: (event: SeenEvent) => void;
}

/**
 * A client that reads the events of a session until it is closed. It opens the connection again when it breaks, and goes on
 * after the last id that it has seen.
 */
export class SessionReader {
  readonly sessionID: string;
  /** All events, over all connections. */
  readonly seen: SeenEvent[] = [];
  /** The status of responses that were not a stream. */
  readonly refusals: number[] = [];
  connections = 0;
  readonly #server: SessionServer;
  readonly #options: ReaderOptions;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;

  constructor(server: SessionServer, sessionID: string, options: ReaderOptions = {}) {
    this.#server = server;
    this.sessionID = sessionID;
    this.#options = options;
    this.#done = this.#run();
  }

  get durable(): readonly (SeenEvent & { readonly id: number })[] {
    return this.seen.filter((event): event is SeenEvent & { readonly id: number } => event.id !== undefined);
  }

  get lastID(): number {
    return this.durable.at(-1)?.id ?? 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#connect();
      } catch {
        // The server is not there.
      }
      await sleep(20, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  async #connect(): Promise<void> {
    const leaving = new AbortController();
    const after = this.lastID;
    const byQuery = this.#options.resumesBy?.() === "query";
    const query = byQuery && after > 0 ? `?after=${after}` : "";
    const response = await fetch(
      `${this.#server.url}/api/sessions/${encodeURIComponent(this.sessionID)}/events${query}`,
      {
        headers: {
          authorization: `Bearer ${TOKEN}`,
          accept: "text/event-stream",
          ...(byQuery || after === 0 ? {} : { "last-event-id": String(after) }),
        },
        signal: AbortSignal.any([this.#closing.signal, leaving.signal]),
      },
    );
    if (response.status !== 200 || !response.body) {
      this.refusals.push(response.status);
      await response.body?.cancel();
      return;
    }
    this.connections += 1;
    const connection = this.connections;
    let count = 0;
    for await (const { id, event, data } of readEvents(response.body)) {
      const seen = { id, event, data: JSON.parse(data), connection };
      this.seen.push(seen);
      this.#options.onEvent?.(seen);
      count += 1;
      if (!this.#options.leaves?.(count)) continue;
      leaving.abort();
      return;
    }
  }
}
