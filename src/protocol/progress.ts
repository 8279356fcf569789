import type { Update } from "../core/events.ts";
import { assertShallow } from "./plain-json.ts";

/** How often the state of a running call is sent on, at most. */
const INTERVAL_MS = 50;
/** What one text in an update may have; its end is kept, since that is where progress shows. */
const MAX_TEXT = 30_000;
/** What the data of an update may have as JSON, and how long its title may be. */
export const MAX_UPDATE = 200_000;

/**
 * Thins out what a chatty tool reports: the first state at once, then the newest one every 50 ms. Works as well for
 * a tool that never yields, since it looks at the clock on each report.
 */
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

  /** What has been written so far, beside whatever else was reported. */
  output(output: string): void {
    this.report({ metadata: { ...this.#state.metadata, output } });
  }

  /** Sends what has not been sent yet. */
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

/** Whatever the author put in must neither be huge nor fail to cross. */
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
