import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { DurableEvent, FollowedEvent, LiveEvent, StoredEvent } from "../../core/session-log.ts";
import { SessionError } from "../../core/session-store.ts";
import { followFeed } from "./feed-reader.ts";
import { SessionFeed } from "./session-feed.ts";

const CALL = { callID: "c1", tool: "hello", messageID: "m1", agent: "a" };
const delta = (text: string, messageID = "m1"): LiveEvent => ({ type: "message.delta", messageID, text });

describe("SessionFeed", () => {
  it("gives stored events, then new ones, and ends when the signal fires", async () => {
    const { feed, append } = log(250);
    const reader = read(feed, 0);
    await turn();
    append(3);
    await turn();
    reader.abort();
    await reader.done;
    expect(reader.positions).toEqual(range(1, 253));
    expect(feed.isUnused).toBe(true);
  });

  it("gives all readers the same objects", async () => {
    const { feed, append } = log(1);
    const readers = Array.from({ length: 5 }, () => read(feed, 1));
    await turn();
    append(1);
    await turn();
    for (const reader of readers) expect(reader.events[0]).toBe(readers[0]?.events[0]);
    for (const reader of readers) reader.abort();
  });

  it.each([
    ["the rest of the text", "Hel", "Hello", ["lo"]],
    ["nothing if all of it was streamed", "Hello", "Hello", []],
    ["nothing if none of it was streamed", "", "Hello", []],
    ["nothing if other text was streamed", "Hi", "Hello", []],
    ["nothing if the message has no text", "Hel", "", []],
  ])("gives a reader before the whole message %s", async (_what, streamed, whole, rest) => {
    const { feed, append } = log(1);
    const reader = read(feed, 1);
    await turn();
    for (const type of ["thinking.delta", "message.delta"] as const)
      if (streamed !== "") feed.publish({ type, messageID: "m1", text: streamed });
    await turn();
    const before = reader.events.length;
    append(1, { type: "message.complete", messageID: "m1", content: [{ type: "text", text: whole }], thinking: whole });
    await turn();
    expect(reader.events.slice(before)).toMatchObject([
      ...rest.map((text) => ({ type: "thinking.delta", messageID: "m1", text })),
      ...rest.map((text) => ({ type: "message.delta", messageID: "m1", text })),
      { type: "message.complete", position: 2 },
    ]);
    reader.abort();
  });

  it("gives a late reader the text so far, once, and what follows", async () => {
    const { feed, append } = log(1);
    feed.publish(delta("Hel"));
    feed.publish({ type: "thinking.delta", messageID: "m1", text: "hm" });
    feed.publish({ type: "tool.update", ...CALL, title: "T" });
    feed.publish({ type: "tool.update", ...CALL, metadata: { output: "x" } });
    const reader = read(feed, 0);
    await turn();
    feed.publish(delta("lo"));
    await turn();
    append(1, { type: "message.complete", messageID: "m1", content: [] });
    append(1, { type: "tool.complete", ...CALL } as DurableEvent);
    await turn();
    expect(reader.events.slice(1)).toMatchObject([
      {
        type: "session.partial",
        messages: [{ messageID: "m1", text: "Hel", thinking: "hm" }],
        calls: [{ ...CALL, title: "T", metadata: { output: "x" } }],
      },
      { type: "message.delta", text: "lo" },
      { type: "message.complete", position: 2 },
      { type: "tool.complete", position: 3 },
    ]);
    const late = read(feed, 3);
    await turn();
    expect(late.events).toEqual([]);
    reader.abort();
    late.abort();
    expect(feed.isUnused).toBe(true);
  });

  it.each<[string, DurableEvent, number]>([
    ["session.idle", { type: "session.idle" }, 1],
    ["session.error", { type: "session.error", message: "no" }, 1],
    ["session.interrupted", { type: "session.interrupted", reason: "", calls: ["c1"], questions: [] }, 0],
  ])("forgets unfinished messages after %s, and calls that do not go on", async (_type, event, calls) => {
    const { feed, append } = log(1);
    feed.publish(delta("x"));
    feed.publish({ type: "tool.update", ...CALL });
    append(1, event);
    const reader = read(feed, 2);
    await turn();
    expect(
      reader.events.map((each) => each.type === "session.partial" && [each.messages.length, each.calls.length]),
    ).toEqual(calls ? [[0, 1]] : []);
    reader.abort();
  });

  it("ignores live events of finished messages and calls, and malformed ones", async () => {
    const { feed, append } = log(1);
    append(1, { type: "message.complete", messageID: "m1", content: [] });
    append(1, { type: "tool.complete", ...CALL } as DurableEvent);
    const reader = read(feed, 3);
    await turn();
    feed.publish(delta("late"));
    feed.publish({ type: "tool.update", ...CALL });
    for (const wrong of [{ type: "message.delta" }, { type: "tool.update" }, { type: "other" }, {}, null, 7])
      feed.publish(wrong as LiveEvent);
    await turn();
    expect(reader.events).toEqual([]);
    reader.abort();
    expect(feed.isUnused).toBe(true);
  });

  it("merges live events that no reader has taken, and never repeats or loses text", async () => {
    const { feed } = log(1);
    const first = read(feed, 1);
    await turn();
    feed.publish(delta("a"));
    feed.publish(delta("b"));
    const second = read(feed, 1);
    feed.publish(delta("c"));
    await turn();
    feed.publish(delta("d"));
    feed.publish(delta("e", "m2"));
    feed.publish(delta("f"));
    await turn();
    expect(textOf(first.events)).toBe("abcdf");
    expect(textOf(second.events)).toBe("abcdf");
    expect(first.events.length).toBeLessThan(6);
    first.abort();
    second.abort();
  });

  it("keeps an event for a reader that has not woken yet, if all others have taken it", async () => {
    const { feed } = log(1);
    const { signal } = new AbortController();
    const [waiting, other] = [1, 1].map((after) =>
      followFeed((enter) => enter(feed), after, signal)[Symbol.asyncIterator](),
    );
    const first = waiting?.next();
    const second = other?.next();
    await turn();
    feed.publish(delta("a"));
    await Promise.all([first, second]);
    const third = waiting?.next();
    feed.publish(delta("b"));
    expect(await Promise.race([other?.next(), other?.next()])).toMatchObject({ value: { text: "b" } });
    expect(await third).toMatchObject({ value: { text: "b" } });
    await waiting?.return?.();
    await other?.return?.();
  });

  it("cuts off a reader that does not keep up, and frees what it held", async () => {
    const { feed, append } = log(1);
    const signal = new AbortController().signal;
    const slow = followFeed((enter) => enter(feed), 0, signal)[Symbol.asyncIterator]();
    expect(await slow.next()).toMatchObject({ value: { position: 1 } });
    const waiting = slow.next();
    await turn();
    for (let count = 0; count < 11_100; count += 1) append(1);
    expect(await waiting).toMatchObject({ value: { position: 2 } });
    append(1);
    const fast = read(feed, 11_102);
    await expect(slow.next()).rejects.toMatchObject({
      code: "reader_too_slow",
      message: 'This reader of session "s" did not keep up with its events. Follow it again after position 2.',
    });
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    fast.abort();
    expect(feed.isUnused).toBe(true);
  });

  it("cuts off a reader that never asks again", async () => {
    const { feed, append } = log(1);
    const slow = followFeed((enter) => enter(feed), 1, new AbortController().signal)[Symbol.asyncIterator]();
    const waiting = slow.next();
    await turn();
    for (let count = 0; count < 11_100; count += 1) append(1);
    await waiting;
    append(1);
    expect(feed.hasReaders).toBe(false);
    await expect(slow.next()).rejects.toMatchObject({ code: "reader_too_slow" });
  });

  it("gives a waiting reader all of one large append, and all of many at once", async () => {
    const { feed, append } = log(1);
    const reader = read(feed, 1);
    await turn();
    append(15_000);
    await turn();
    for (let count = 0; count < 15_000; count += 1) append(1);
    await turn();
    expect(reader.positions).toEqual(range(2, 30_001));
    reader.abort();
  });

  it("reads events that another process stored first, and passes on each once", async () => {
    const { feed, append, store } = log(1);
    const reader = read(feed, 1);
    await turn();
    const [, second] = [store(1), store(1)];
    feed.stored(second);
    append(1);
    store(300);
    feed.advance(304);
    feed.advance(304);
    await turn();
    append(1);
    await turn();
    expect(reader.positions).toEqual(range(2, 305));
    reader.abort();
  });

  it("lets a reader begin beyond the feed, where another process has written", async () => {
    const { feed, store, append } = log(1);
    const early = read(feed, 1);
    await turn();
    store(5);
    const reader = read(feed, 4);
    await turn();
    append(1);
    await turn();
    expect(reader.positions).toEqual([5, 6, 7]);
    expect(early.positions).toEqual(range(2, 7));
    early.abort();
    reader.abort();
  });

  it("ends readers after the events that they can still take", async () => {
    const { feed, append } = log(1);
    const [first, second] = [read(feed, 0), read(feed, 1)];
    await turn();
    append(2);
    feed.end(new SessionError("session_removed", "gone"));
    await expect(first.done).rejects.toThrow("gone");
    await expect(second.done).rejects.toThrow("gone");
    expect([first.positions, second.positions]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    await expect(read(feed, 0).done).rejects.toThrow("gone");
    expect(feed.isUnused).toBe(true);
  });

  it("ends readers without an error if there is none", async () => {
    const { feed } = log(1);
    const reader = read(feed, 0);
    await turn();
    feed.end();
    await reader.done;
    expect(reader.positions).toEqual([1]);
  });

  it("reads a page once for readers that need it at the same time, or while one of them still has it", async () => {
    const { feed } = log(3);
    const [first, second] = await Promise.all([feed.page(0), feed.page(0)]);
    expect(second).toBe(first);
    expect(await feed.page(0)).toBe(first);
    const other = await feed.page(1);
    expect(other.map(({ position }) => position)).toEqual([2, 3]);
  });

  it("fails readers whose events cannot be read", async () => {
    const { feed, setFault } = log(2);
    const [waiting, paging] = [read(feed, 2), read(feed, 0)];
    await turn();
    setFault(new Error("disk"));
    feed.advance(5);
    await expect(waiting.done).rejects.toThrow("disk");
    await expect(paging.done).rejects.toThrow("disk");
    await expect(read(feed, 1).done).rejects.toThrow("disk");
    setFault(undefined);
    const again = read(feed, 1);
    await turn();
    expect(again.positions).toEqual([2]);
    again.abort();
  });
});

describe("a reader", () => {
  it.each(["return", "abort"])("ends at once on %s while it waits", async (how) => {
    const { feed } = log(1);
    const controller = new AbortController();
    const reader = followFeed((enter) => enter(feed), 1, controller.signal)[Symbol.asyncIterator]();
    const waiting = [reader.next(), reader.next()];
    await turn();
    if (how === "abort") controller.abort();
    else expect(await reader.return?.()).toEqual({ done: true, value: undefined });
    expect(await Promise.all(waiting)).toEqual(Array(2).fill({ done: true, value: undefined }));
    expect(feed.isUnused).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it.each(["opens", "reads"])("ends at once while it %s", async (what) => {
    const { feed } = log(what === "reads" ? 1 : 0);
    const never = new Promise<never>(() => {});
    const stuck = new SessionFeed({ sessionID: "s", position: 1, read: () => never });
    const controller = new AbortController();
    const open = (enter: (feed: SessionFeed) => void): void | Promise<void> =>
      what === "opens" ? never : enter(stuck);
    const reader = followFeed(open, 0, controller.signal)[Symbol.asyncIterator]();
    const waiting = reader.next();
    await turn();
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([feed.isUnused, stuck.isUnused]).toEqual([true, true]);
  });

  it("takes no events if the signal has fired, and begins nothing before the first event is asked for", async () => {
    const { feed } = log(1);
    const opened: string[] = [];
    const open = (enter: (feed: SessionFeed) => void): void => {
      opened.push("open");
      enter(feed);
    };
    followFeed(open, 0, new AbortController().signal)[Symbol.asyncIterator]();
    const reader = followFeed(open, 0, AbortSignal.abort())[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(opened).toEqual([]);
  });

  it("rejects once if its session cannot be opened", async () => {
    const open = (): void => {
      throw new SessionError("session_not_found", "no");
    };
    const reader = followFeed(open, 0, new AbortController().signal)[Symbol.asyncIterator]();
    const results = await Promise.allSettled([reader.next(), reader.next()]);
    expect(results).toMatchObject([{ reason: { code: "session_not_found" } }, { value: { done: true } }]);
  });

  it("answers several requests in order", async () => {
    const { feed, append } = log(1);
    const reader = followFeed((enter) => enter(feed), 0, new AbortController().signal)[Symbol.asyncIterator]();
    const requests = [1, 2, 3].map(() => reader.next());
    await turn();
    append(2);
    const results = await Promise.all(requests);
    expect(results.map(({ value }) => (value as StoredEvent).position)).toEqual([1, 2, 3]);
    await reader.return?.();
  });

  it("can share a signal with a thousand others", async () => {
    const { feed, append } = log(1);
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const controller = new AbortController();
    const readers = Array.from({ length: 1_000 }, () => read(feed, 0, controller));
    await turn();
    append(1);
    await turn();
    controller.abort();
    await Promise.all(readers.map(({ done }) => done));
    process.off("warning", note);
    expect(new Set(readers.map(({ positions }) => positions.join()))).toEqual(new Set(["1,2"]));
    expect(warnings).toEqual([]);
    expect(feed.isUnused).toBe(true);
  });
});

/** A log with a feed. `append` stores events and tells the feed, `store` only stores them. */
function log(length: number) {
  const events: StoredEvent[] = [];
  let fault: Error | undefined;
  const store = (count: number, event: DurableEvent = { type: "usage" }): StoredEvent[] => {
    const added = Array.from({ length: count }, (_, index) => ({
      ...event,
      position: events.length + index + 1,
      at: 0,
      v: 1,
    }));
    for (const each of added) events.push(each);
    return added;
  };
  store(length);
  const feed = new SessionFeed({
    sessionID: "s",
    position: length,
    read: async (after, limit) => {
      if (fault) throw fault;
      return events.slice(after, after + limit);
    },
  });
  return {
    feed,
    store,
    append: (count: number, event?: DurableEvent): void => feed.stored(store(count, event)),
    setFault: (error: Error | undefined): void => {
      fault = error;
    },
  };
}

function read(feed: SessionFeed, after: number, controller: AbortController = new AbortController()) {
  const events: FollowedEvent[] = [];
  const done = (async () => {
    for await (const event of followFeed((enter) => enter(feed), after, controller.signal)) events.push(event);
  })();
  done.catch(() => {});
  return {
    events,
    done,
    abort: (): void => controller.abort(),
    get positions(): number[] {
      return events.flatMap((event) => ("position" in event ? [event.position] : []));
    },
  };
}

/** The text of message m1, as a client puts it together. */
function textOf(events: readonly FollowedEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "session.partial") text = event.messages.find(({ messageID }) => messageID === "m1")?.text ?? "";
    if (event.type === "message.delta" && event.messageID === "m1") text += event.text;
  }
  return text;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
