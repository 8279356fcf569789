import type { FollowedEvent } from "../../src/core/session-log.ts";
import type { SessionStore } from "../../src/core/session-store.ts";

/** A reader of a session that keeps what it gets. */
export interface Followed {
  readonly events: readonly FollowedEvent[];
  /** The positions of the stored events among them. */
  readonly positions: readonly number[];
  /** Settles when the reader ends. */
  readonly ended: Promise<void>;
  /** Resolves when the condition holds for the events so far. Rejects if the reader ends before. */
  until(condition: (events: readonly FollowedEvent[]) => boolean): Promise<void>;
  /** Resolves when the event at a position has come. */
  reaches(position: number): Promise<void>;
  abort(): void;
}

export function followed(store: SessionStore, sessionID: string, after: number): Followed {
  const events: FollowedEvent[] = [];
  const controller = new AbortController();
  const checks = new Set<() => void>();
  let last = after;
  const ended = (async () => {
    for await (const event of store.follow(sessionID, after, controller.signal)) {
      events.push(event);
      if ("position" in event) last = event.position;
      for (const check of checks) check();
    }
  })();
  ended.catch(() => {});
  const until: Followed["until"] = (condition) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!condition(events)) return;
        checks.delete(check);
        resolve();
      };
      checks.add(check);
      check();
      ended.then(() => reject(new Error(`The reader ended after ${events.length} events.`)), reject);
    });
  return {
    events,
    ended,
    until,
    reaches: (position) => until(() => last === position),
    abort: () => controller.abort(),
    get positions() {
      return positionsOf(events);
    },
  };
}

export function positionsOf(events: readonly FollowedEvent[]): number[] {
  return events.flatMap((event) => ("position" in event ? [event.position] : []));
}

/** The positions from `first` to `last`. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The unfinished texts, by message, and the titles of open calls, as a client puts them together. */
export function unfinishedOf(events: readonly FollowedEvent[]): {
  texts: Map<string, string>;
  titles: Map<string, string>;
} {
  const texts = new Map<string, string>();
  const titles = new Map<string, string>();
  for (const event of events) {
    switch (event.type) {
      case "session.partial":
        for (const { messageID, text } of event.messages) texts.set(messageID, text);
        for (const { callID, title = "" } of event.calls) titles.set(callID, title);
        break;
      case "message.delta":
        texts.set(event.messageID, (texts.get(event.messageID) ?? "") + event.text);
        break;
      case "tool.update":
        titles.set(event.callID, event.title ?? "");
        break;
      case "message.complete":
        texts.delete(event.messageID);
        break;
      case "tool.complete":
      case "tool.failed":
        titles.delete(event.callID);
        break;
      case "session.idle":
      case "session.error":
        texts.clear();
        break;
      case "session.interrupted":
        texts.clear();
        for (const callID of event.calls) titles.delete(callID);
    }
  }
  return { texts, titles };
}
