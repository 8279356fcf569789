import type { Update } from "../../core/events.ts";
import { assertShallow } from "./plain-json.ts";

/** The shortest time between two updates of a call. */
const INTERVAL_MS = 50;
/** The maximum length of one text in an update; its end is kept. */
const MAX_TEXT = 30_000;
/** The maximum length of the metadata of an update as JSON, and of its title. */
export const MAX_UPDATE = 200_000;

/** Throttles the updates of a call: the first at once, then the newest every 50 ms, also for a tool that never yields. */
export class Progress {
  readonly #send: (update: Update) => void;
  #state: Update = {};
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (update: Update) => void) {
    this.#send = send;
  }

  report(update: { title?: string; metadata?: Record<string, unknown> }): void {
    this.#state = { ...this.#state, ...update };
    const wait = this.#sentAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.#now();
    else this.#timer ??= setTimeout(() => this.#now(), wait);
  }

  /** Reports written text, and keeps the other metadata. */
  output(output: string): void {
    this.report({ metadata: { ...this.#state.metadata, output } });
  }

  /** Sends the state that has not been sent yet. */
  flush(): void {
    if (this.#timer) this.#now();
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentAt = performance.now();
    this.#send(bounded(this.#state));
  }
}

function bounded(update: Update): Update {
  const title = typeof update.title === "string" ? { title: update.title.slice(0, MAX_TEXT) } : {};
  return update.metadata === undefined ? title : { ...title, metadata: plain(update.metadata) };
}

/** Metadata of authors may be huge, or not JSON. */
function plain(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    const json = JSON.stringify(metadata, (_key, value: unknown) =>
      typeof value === "string" && value.length > MAX_TEXT ? value.slice(-MAX_TEXT) : value,
    );
    if (!json.startsWith("{")) return { omitted: "The progress data was not an object." };
    if (json.length > MAX_UPDATE) return { omitted: "The progress data was too large to send." };
    const sent = JSON.parse(json) as Record<string, unknown>;
    assertShallow(sent, json);
    return sent;
  } catch {
    return { omitted: "The progress data was not plain JSON." };
  }
}
