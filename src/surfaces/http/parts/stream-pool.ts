import type { ServerResponse } from "node:http";
import { EventStream } from "./event-stream.ts";

const NO_STREAMS: ReadonlySet<EventStream> = new Set();

/** The open event streams of readers, in groups that get the same events. */
export class StreamPool {
  readonly #heartbeatMs: number;
  readonly #onEmpty: () => void;
  readonly #groups = new Map<string, Set<EventStream>>();
  #count = 0;
  #emptied: (() => void) | undefined;

  /** `onEmpty` is called when the last stream was closed. */
  constructor(heartbeatMs: number, onEmpty: () => void = () => {}) {
    this.#heartbeatMs = heartbeatMs;
    this.#onEmpty = onEmpty;
  }

  get count(): number {
    return this.#count;
  }

  streams(group: string): ReadonlySet<EventStream> {
    return this.#groups.get(group) ?? NO_STREAMS;
  }

  /** Begins a stream. The response must not be closed yet. */
  open(group: string, outgoing: ServerResponse): EventStream {
    const stream = new EventStream(outgoing, this.#heartbeatMs);
    this.#groups.set(group, (this.#groups.get(group) ?? new Set()).add(stream));
    this.#count += 1;
    outgoing.once("close", () => this.#leave(group, stream));
    stream.begin();
    return stream;
  }

  /** Ends all streams. Resolves when they were closed. */
  async close(): Promise<void> {
    for (const streams of this.#groups.values()) for (const stream of streams) stream.end();
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#emptied = resolve));
  }

  #leave(group: string, stream: EventStream): void {
    const streams = this.#groups.get(group);
    streams?.delete(stream);
    if (streams?.size === 0) this.#groups.delete(group);
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#onEmpty();
    this.#emptied?.();
  }
}
