import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { DurableEvent, StoredEvent } from "../../src/core/session-log.ts";
import type { LogSnapshot, NewEvent, SessionStore } from "../../src/core/session-store.ts";
import { followed, range } from "./followed.ts";
import type { OpenedStore, OpenStore } from "./opened-store.ts";
import { describeInterleavings } from "./session-store-model.ts";

const USAGE: NewEvent = { type: "usage" };
const CALL = { callID: "c1", tool: "hello", messageID: "m1", agent: "a" };
const TOOL_START: NewEvent = { type: "tool.start", ...CALL, input: {} };
const RESULT = { ok: true, output: "", content: [], notes: { durationMs: 1 } } as const;
const TOOL_COMPLETE: NewEvent = { type: "tool.complete", ...CALL, result: RESULT };
const QUESTION: NewEvent = {
  ...{ type: "question.asked", questionID: "q1", callID: "c1", tool: "hello", agent: "a", reason: "Why?" },
  ...{ kind: "dialog", method: "confirm" },
} as NewEvent;
const user = (text: string): NewEvent => ({ type: "message.user", messageID: "m", content: [{ type: "text", text }] });
const many = (count: number): NewEvent[] => Array.from({ length: count }, () => USAGE);

/** The contract of a session store. A store keeps it if these tests pass. */
export function describeSessionStore(name: string, open: OpenStore, { runs = 30 }: { runs?: number } = {}): void {
  const opened: OpenedStore[] = [];
  const start = async (): Promise<OpenedStore> => {
    const result = await open();
    opened.push(result);
    return result;
  };
  /** A store with one session. */
  const startWith = async (id: string, events: readonly NewEvent[] = []): Promise<SessionStore> => {
    const { store } = await start();
    await store.create({ id, directory: "/p" });
    if (events.length > 0) await store.append(id, events);
    return store;
  };
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.dispose();
  });

  describe(`[S2] ${name}: create, get`, () => {
    it("creates a session with its first event", async () => {
      const { store } = await start();
      const header = { directory: "/p/d", title: "T", agent: "a", model: "m", parent: { sessionID: "p", callID: "c" } };
      const before = Date.now();
      const info = await store.create({ id: "s", ...header });
      const times = { createdAt: info.createdAt, updatedAt: info.createdAt };
      expect(info).toEqual({
        ...{ id: "s", project: "/p", ...header, defaultTitle: "T", status: "idle", turn: "idle", position: 1 },
        ...{ openCalls: [], openQuestions: [], ...times },
      });
      expect(info.createdAt).toBeGreaterThanOrEqual(before);
      expect(await store.get("s")).toEqual(info);
      const start1 = { type: "session.start", ...header, position: 1, at: info.createdAt, v: 1 };
      expect(await store.read("s", 0, 10)).toEqual([start1]);
    });

    it("chooses an id, and keeps unusual ones apart", async () => {
      const { store } = await start();
      const first = await store.create({ directory: "/p" });
      const second = await store.create({ directory: "/p" });
      expect(first.id).toMatch(/^.{10,200}$/);
      expect(second.id).not.toBe(first.id);
      const ids = ["a", "A", "a ", "%", "_", "..", "a/b", "ä", "a\u0308", "😀", "__proto__", "'\"", "x".repeat(200)];
      for (const id of ids) await store.create({ id, directory: "/p", title: `title of ${id}` });
      for (const id of ids) expect(await store.get(id)).toMatchObject({ id, title: `title of ${id}` });
    });

    it("refuses a second session with the same id, invalid ids, and headers without a folder", async () => {
      const store = await startWith("s", [USAGE]);
      await expect(store.create({ id: "s", directory: "/other" })).rejects.toMatchObject({
        code: "session_exists",
        message: 'There is a session "s" already. Choose another id.',
      });
      expect(await store.get("s")).toMatchObject({ directory: "/p", position: 2 });
      await expect(store.create({ id: "t" } as never)).rejects.toMatchObject({ code: "invalid_event" });
      await expect(store.create({ id: "t", directory: "/p", title: 7 } as never)).rejects.toMatchObject({
        code: "invalid_event",
      });
      for (const id of ["", "x".repeat(201), "a\nb", "\0", "\ud800", 7 as never]) {
        const refusal = { code: "invalid_session_id" };
        await expect(store.create({ id, directory: "/p" })).rejects.toMatchObject(refusal);
        await expect(store.get(id)).rejects.toMatchObject(refusal);
        await expect(store.append(id, [USAGE])).rejects.toMatchObject(refusal);
        await expect(store.read(id, 0, 1)).rejects.toMatchObject(refusal);
        await expect(followed(store, id, 0).ended).rejects.toMatchObject(refusal);
        await expect(store.branch(id, 1)).rejects.toMatchObject(refusal);
        await expect(store.branch("s", 1, { id })).rejects.toMatchObject(refusal);
        await expect(store.remove(id)).rejects.toMatchObject(refusal);
        await expect(store.claim(id, "turn")).rejects.toMatchObject(refusal);
      }
      expect((await store.list()).sessions).toHaveLength(1);
    });

    it("knows no other sessions", async () => {
      const { store } = await start();
      const refusal = { code: "session_not_found", message: 'There is no session "s".' };
      expect(await store.get("s")).toBeUndefined();
      await expect(store.append("s", [USAGE])).rejects.toMatchObject(refusal);
      await expect(store.append("s", [])).rejects.toMatchObject(refusal);
      await expect(store.read("s", 0, 1)).rejects.toMatchObject(refusal);
      await expect(followed(store, "s", 0).ended).rejects.toMatchObject(refusal);
      await expect(store.branch("s", 1)).rejects.toMatchObject(refusal);
      await expect(store.remove("s")).rejects.toMatchObject(refusal);
      await expect(store.claim("s", "call")).rejects.toMatchObject(refusal);
      store.publish("s", { type: "message.delta", messageID: "m", text: "x" });
    });
  });

  describe(`[S2] ${name}: append, read`, () => {
    it("stores events in the order of the calls, and resolves to the last position", async () => {
      const store = await startWith("s");
      const positions = await Promise.all(
        range(1, 50).map((index) => store.append("s", [{ ...USAGE, inputTokens: index } as NewEvent, USAGE])),
      );
      expect(positions).toEqual(range(1, 50).map((index) => 1 + index * 2));
      const events = await store.read("s", 0, 1_000);
      expect(events.map(({ position }) => position)).toEqual(range(1, 101));
      expect(events.filter((_, index) => index % 2 === 1)).toMatchObject(
        range(1, 50).map((index) => ({ inputTokens: index })),
      );
    });

    it("returns the position for an empty list", async () => {
      const store = await startWith("s", [USAGE]);
      expect(await store.append("s", [])).toBe(2);
      expect(await store.append("s", [], { expected: 2 })).toBe(2);
      await expect(store.append("s", [], { expected: 1 })).rejects.toMatchObject({ code: "conflict" });
    });

    it("sets the time, or keeps that of the event", async () => {
      const store = await startWith("s");
      const before = Date.now();
      await store.append("s", [USAGE, { ...USAGE, at: 1_234 }]);
      const [first, second] = await store.read("s", 1, 10);
      expect(first?.at).toBeGreaterThanOrEqual(before);
      expect(first?.at).toBeLessThanOrEqual(Date.now());
      expect(second).toEqual({ type: "usage", position: 3, at: 1_234, v: 1 });
    });

    it("keeps every value that JSON can hold, and neither later changes of the caller nor of a reader", async () => {
      const store = await startWith("s");
      const text =
        '{"__proto__":{"x":1},"constructor":null,"half":"\\ud83d","nul":"a\\u0000b","line":"\\u2028","n":1e308,"deep":[[[{}]]],"":""}';
      const value = JSON.parse(text) as { half: string };
      await store.append("s", [{ type: "state.set", of: "tools", key: "\ud83d\0__proto__", value }]);
      value.half = "changed";
      const expected = { type: "state.set", of: "tools", key: "\ud83d\0__proto__", value: JSON.parse(text) as unknown };
      const [event] = (await store.read("s", 1, 1)) as unknown as [{ value: { half: string } }];
      expect(event).toMatchObject(expected);
      expect(JSON.stringify(event.value)).toBe(JSON.stringify(JSON.parse(text)));
      event.value.half = "changed";
      expect((await store.read("s", 1, 1))[0]).toMatchObject(expected);
    });

    it("stores all events of an append, or none", async () => {
      const store = await startWith("s");
      const wrong: readonly NewEvent[][] = [
        [USAGE, { type: "other" } as never],
        [USAGE, { type: "message.delta", messageID: "m", text: "" } as never],
        [{ type: "session.start", directory: "/p" }],
        [USAGE, { ...USAGE, more: () => 1 } as never],
        [USAGE, { ...USAGE, at: Number.NaN }],
        [null as never],
        "events" as never,
      ];
      for (const events of wrong)
        await expect(store.append("s", events)).rejects.toMatchObject({ code: "invalid_event" });
      await expect(
        store.append("s", [USAGE, { type: "session.idle", text: "x".repeat(16_000_000) }]),
      ).rejects.toMatchObject({ code: "too_large" });
      expect(await store.get("s")).toMatchObject({ position: 1 });
      expect(await store.append("s", [{ type: "session.idle", text: "x".repeat(1_000_000) }])).toBe(2);
    });

    it("refuses an append to another position than expected, without an effect", async () => {
      const store = await startWith("s", [USAGE]);
      await expect(store.append("s", [USAGE], { expected: 1 })).rejects.toMatchObject({
        code: "conflict",
        message: 'Session "s" is at position 2, not at 1. Read the new events, then try again.',
      });
      for (const expected of [-1, 1.5, "2" as never])
        await expect(store.append("s", [USAGE], { expected })).rejects.toMatchObject({ code: "invalid_position" });
      const outcomes = await Promise.allSettled(range(1, 10).map(() => store.append("s", [USAGE], { expected: 2 })));
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", ...Array(9).fill("rejected")]);
      expect(await store.get("s")).toMatchObject({ position: 3 });
    });

    it("reads pages, and only some types", async () => {
      const store = await startWith("s", [TOOL_START, USAGE, TOOL_COMPLETE, USAGE, USAGE]);
      const positions = async (...request: [number, number, DurableEvent["type"][]?]): Promise<number[]> =>
        (await store.read("s", ...request)).map(({ position }) => position);
      expect(await positions(0, 4)).toEqual([1, 2, 3, 4]);
      expect(await positions(4, 4)).toEqual([5, 6]);
      expect(await positions(6, 4)).toEqual([]);
      expect(await positions(1_000, 4)).toEqual([]);
      expect(await positions(0, 2, ["usage"])).toEqual([3, 5]);
      expect(await positions(5, 2, ["usage", "tool.start"])).toEqual([6]);
      expect(await positions(0, 10, ["tool.start", "tool.complete"])).toEqual([2, 4]);
      expect(await positions(0, 10, [])).toEqual([]);
      for (const [after, limit] of [
        [-1, 1],
        [0.5, 1],
        [Number.NaN, 1],
        [0, 0],
        [0, -1],
        [0, 1.5],
        ["0", 1],
      ] as [number, number][])
        await expect(store.read("s", after, limit)).rejects.toMatchObject({ code: "invalid_position" });
    });

    it("folds the info from the events", async () => {
      const store = await startWith("s", [user("Fix it\nplease"), TOOL_START, QUESTION]);
      expect(await store.get("s")).toMatchObject({
        ...{ title: "Fix it", status: "waiting", openCalls: ["c1"], openQuestions: ["q1"], position: 4 },
      });
      await store.append("s", [{ type: "question.answered", questionID: "q1", allowed: true }, TOOL_COMPLETE]);
      expect(await store.get("s")).toMatchObject({ status: "running", openCalls: [], openQuestions: [] });
      await store.append("s", [
        { type: "state.set", of: "session", key: "title", value: "New" },
        { type: "session.idle" },
      ]);
      expect(await store.get("s")).toMatchObject({ status: "idle", title: "New", position: 8 });
    });
  });

  describe(`[S2] ${name}: follow`, () => {
    it("gives stored events, then new ones, without a gap or a double", async () => {
      const store = await startWith("s", many(249));
      const readers = [0, 1, 100, 249, 250].map((after) => ({ after, reader: followed(store, "s", after) }));
      for (let round = 0; round < 50; round += 1) {
        void store.append("s", many(3));
        if (round % 10 === 0) readers.push({ after: round, reader: followed(store, "s", round) });
        if (round % 3 === 0) await turn();
      }
      for (const { reader } of readers) await reader.reaches(400);
      for (const { reader, after } of readers) expect(reader.positions).toEqual(range(after + 1, 400));
      for (const { reader } of readers) reader.abort();
      for (const { reader } of readers) await reader.ended;
      const stored = await store.read("s", 250, 200);
      expect(readers[0]?.reader.events.slice(250)).toEqual(stored);
    });

    it("gives a reader that joins or resumes what was streamed so far, once", async () => {
      const store = await startWith("s", [user("hi"), TOOL_START]);
      const first = followed(store, "s", 3);
      await turn();
      store.publish("s", { type: "message.delta", messageID: "m2", text: "Hel" });
      store.publish("s", { type: "thinking.delta", messageID: "m2", text: "hm" });
      store.publish("s", { type: "tool.update", ...CALL, title: "half" });
      await first.until((events) => events.length === 3);
      first.abort();
      const late = followed(store, "s", 0);
      const resumed = followed(store, "s", 3);
      await Promise.all([late.until((events) => events.length === 4), resumed.until((events) => events.length === 1)]);
      store.publish("s", { type: "message.delta", messageID: "m2", text: "lo" });
      await Promise.all([late.until((events) => events.length === 5), resumed.until((events) => events.length === 2)]);
      await store.append("s", [{ type: "message.complete", messageID: "m2", content: [] }, TOOL_COMPLETE]);
      await Promise.all([late.reaches(5), resumed.reaches(5)]);
      const live = [
        {
          type: "session.partial",
          messages: [{ messageID: "m2", text: "Hel", thinking: "hm" }],
          calls: [{ ...CALL, title: "half" }],
        },
        { type: "message.delta", messageID: "m2", text: "lo" },
        { type: "message.complete", position: 4 },
        { type: "tool.complete", position: 5 },
      ];
      expect(late.events.slice(3)).toMatchObject(live);
      expect(resumed.events).toMatchObject(live);
      const after = followed(store, "s", 4);
      await after.reaches(5);
      await turn();
      expect(after.events).toMatchObject([{ type: "tool.complete" }]);
      for (const reader of [late, resumed, after]) reader.abort();
    });

    it("stores no live events, and never throws for one", async () => {
      const store = await startWith("s");
      for (const event of [{ type: "message.delta", messageID: "m", text: "x" }, { type: "usage" }, {}, null, "x"])
        store.publish("s", event as never);
      store.publish("\0", { type: "message.delta", messageID: "m", text: "x" });
      expect(await store.read("s", 0, 10)).toHaveLength(1);
    });

    it("ends at once when its signal fires, or on return(), and can be followed again", async () => {
      const store = await startWith("s", many(300));
      const aborted = followed(store, "s", 301);
      const paging = followed(store, "s", 0);
      await turn();
      aborted.abort();
      paging.abort();
      await Promise.all([aborted.ended, paging.ended]);
      const controller = new AbortController();
      const reader = store.follow("s", 301, controller.signal)[Symbol.asyncIterator]();
      const waiting = [reader.next(), reader.next()];
      await turn();
      await reader.return?.();
      expect(await Promise.all(waiting)).toEqual(Array(2).fill({ done: true, value: undefined }));
      expect(await reader.next()).toEqual({ done: true, value: undefined });
      for await (const _event of store.follow("s", 0, AbortSignal.abort())) expect.unreachable();
      const positions: number[] = [];
      for await (const event of store.follow("s", 0, controller.signal)) {
        positions.push((event as StoredEvent).position);
        if (positions.length === 150) break;
      }
      expect(positions).toEqual(range(1, 150));
      await store.append("s", [USAGE]);
    });

    it("refuses positions that the log does not have", async () => {
      const store = await startWith("s", [USAGE]);
      for (const after of [-1, 0.5, Number.NaN, "1" as never])
        await expect(followed(store, "s", after).ended).rejects.toMatchObject({ code: "invalid_position" });
      await expect(followed(store, "s", 3).ended).rejects.toMatchObject({
        code: "invalid_position",
        message: 'Session "s" has no position 3: its last event is at 2.',
      });
    });

    it("cuts off a reader that does not keep up, and no other", async () => {
      const store = await startWith("s");
      const controller = new AbortController();
      const slow = store.follow("s", 0, controller.signal)[Symbol.asyncIterator]();
      await slow.next();
      const second = slow.next();
      const fast = followed(store, "s", 0);
      await fast.reaches(1);
      for (let round = 0; round < 3; round += 1) {
        const position = await store.append("s", many(6_000));
        await fast.reaches(position);
      }
      expect(await second).toMatchObject({ value: { position: 2 } });
      const rest = (async () => {
        for (let result = await slow.next(); !result.done; result = await slow.next());
      })();
      await expect(rest).rejects.toMatchObject({
        code: "reader_too_slow",
        message: expect.stringMatching(
          /^This reader of session "s" did not keep up with its events\. Follow it again after position \d+\.$/,
        ) as string,
      });
      expect(fast.positions).toHaveLength(18_001);
      fast.abort();
    });
  });

  describe(`[S2] ${name}: list`, () => {
    /** Sessions that changed one after the other; the last changed last. */
    const startWithList = async (count: number): Promise<SessionStore> => {
      const { store } = await start();
      const now = Date.now();
      for (const index of range(1, count)) {
        await store.create({ id: `id-${index}`, directory: "/p", title: `Title ${index} 100%_Ü` });
        await store.append(`id-${index}`, [{ ...USAGE, at: now + 1_000 * index }]);
      }
      return store;
    };
    const idsOf = (sessions: readonly { id: string }[]): string[] => sessions.map(({ id }) => id);

    it("lists the most recently changed first, in pages", async () => {
      const store = await startWithList(5);
      expect(idsOf((await store.list()).sessions)).toEqual(["id-5", "id-4", "id-3", "id-2", "id-1"]);
      await store.append("id-2", [{ ...USAGE, at: Date.now() + 60_000 }]);
      const first = await store.list({ limit: 2 });
      expect(idsOf(first.sessions)).toEqual(["id-2", "id-5"]);
      expect(first.sessions[0]).toEqual(await store.get("id-2"));
      const second = await store.list({ limit: 2, cursor: first.next as string });
      expect(idsOf(second.sessions)).toEqual(["id-4", "id-3"]);
      const third = await store.list({ limit: 2, cursor: second.next as string });
      expect(third).toEqual({ sessions: [expect.objectContaining({ id: "id-1" })] });
      expect((await store.list({ limit: 5 })).next).toBeUndefined();
    });

    it("lists each session once, also if many changed in the same millisecond, and 50 without a limit", async () => {
      const { store } = await start();
      const at = Date.now() + 10_000;
      const ids = range(1, 60).map((index) => `s${index % 2 ? "😀" : "\uffee"}${index}`);
      await Promise.all(
        ids.map(async (id) => {
          await store.create({ id, directory: "/p" });
          await store.append(id, [{ ...USAGE, at }]);
        }),
      );
      expect((await store.list()).sessions).toHaveLength(50);
      const found: string[] = [];
      for (
        let page = await store.list({ limit: 7 });
        ;
        page = await store.list({ limit: 7, cursor: page.next as string })
      ) {
        found.push(...idsOf(page.sessions));
        if (page.next === undefined) break;
      }
      expect(found.sort()).toEqual(ids.sort());
    });

    it("filters by status and by a part of title or id, in any case", async () => {
      const store = await startWithList(3);
      await store.append("id-1", [TOOL_START]);
      await store.append("id-2", [user("x"), { type: "session.error", message: "no" }]);
      await store.append("id-3", [{ type: "state.set", of: "session", key: "title", value: "Other\ud83d" }]);
      const ids = async (options: Parameters<SessionStore["list"]>[0]): Promise<string[]> =>
        idsOf((await store.list(options)).sessions).sort();
      expect(await ids({ status: "running" })).toEqual(["id-1"]);
      expect(await ids({ status: "error" })).toEqual(["id-2"]);
      expect(await ids({ status: "waiting" })).toEqual([]);
      expect(await ids({ search: "TITLE" })).toEqual(["id-1", "id-2"]);
      expect(await ids({ search: "other" })).toEqual(["id-3"]);
      expect(await ids({ search: "ID-" })).toEqual(["id-1", "id-2", "id-3"]);
      expect(await ids({ search: "%_ü" })).toEqual(["id-1", "id-2"]);
      expect(await ids({ search: "100_" })).toEqual([]);
      expect(await ids({ search: "%" })).toEqual(["id-1", "id-2"]);
      expect(await ids({ search: "'" })).toEqual([]);
      expect(await ids({ search: "" })).toEqual(["id-1", "id-2", "id-3"]);
      expect(await ids({ search: "title", status: "error" })).toEqual(["id-2"]);
      const page = await store.list({ search: "id-", limit: 1 });
      const next = await store.list({ search: "id-", limit: 1, cursor: page.next as string });
      expect([page.sessions.length, next.sessions.length]).toEqual([1, 1]);
      expect(idsOf(next.sessions)).not.toEqual(idsOf(page.sessions));
    });

    it("refuses invalid limits and cursors", async () => {
      const store = await startWith("s");
      for (const options of [
        { limit: 0 },
        { limit: -1 },
        { limit: 1.5 },
        { cursor: "x" },
        { cursor: "" },
        { cursor: "e30" },
      ])
        await expect(store.list(options)).rejects.toMatchObject({ code: "invalid_position" });
    });
  });

  describe(`[S2] ${name}: branch, remove`, () => {
    it("copies the log up to a position", async () => {
      const store = await startWith("s", [
        { ...USAGE, at: 5 },
        USAGE,
        { type: "state.set", of: "session", key: "title", value: "T" },
      ]);
      const before = Date.now();
      const branch = await store.branch("s", 3, { id: "b" });
      expect(branch).toMatchObject({
        ...{ id: "b", project: "/p", directory: "/p", position: 3, status: "idle" },
        branchOf: { sessionID: "s", position: 3 },
      });
      expect(branch.title).toBeUndefined();
      expect(branch.createdAt).toBeGreaterThanOrEqual(before);
      expect(branch.updatedAt).toBeGreaterThanOrEqual(before);
      expect(await store.get("b")).toEqual(branch);
      expect(await store.read("b", 0, 10)).toEqual(await store.read("s", 0, 3));
      const whole = await store.branch("s", 4);
      expect(whole).toMatchObject({ title: "T", position: 4 });
      expect(await store.append("b", [USAGE])).toBe(4);
      expect(await store.get("s")).toMatchObject({ position: 4 });
      await store.remove("s");
      expect(await store.read("b", 0, 10)).toHaveLength(4);
      const reader = followed(store, "b", 0);
      await reader.reaches(4);
      reader.abort();
      expect(await store.branch("b", 1)).toMatchObject({ branchOf: { sessionID: "b", position: 1 } });
    });

    it("ends in the branch what does not run there", async () => {
      const store = await startWith("s", [
        user("hi"),
        TOOL_START,
        QUESTION,
        { type: "question.answered", questionID: "q1", allowed: true },
        TOOL_COMPLETE,
        { type: "session.idle" },
      ]);
      const open = [
        [2, [], []],
        [3, ["c1"], []],
        [4, ["c1"], ["q1"]],
        [5, ["c1"], []],
      ] as const;
      for (const [at, calls, questions] of open) {
        const branch = await store.branch("s", at);
        expect(branch).toMatchObject({ status: "interrupted", position: at + 1, openCalls: [], openQuestions: [] });
        expect(await store.read(branch.id, at, 10)).toMatchObject([
          {
            type: "session.interrupted",
            reason:
              "This session is a branch. What was running at this point continues only in the session that it was branched from.",
            calls,
            questions,
          },
        ]);
      }
      expect(await store.branch("s", 7)).toMatchObject({ status: "idle", position: 7 });
    });

    it("refuses positions without an event, and ids that are taken", async () => {
      const store = await startWith("s");
      for (const at of [0, -1, 0.5, 2, Number.NaN])
        await expect(store.branch("s", at)).rejects.toMatchObject({ code: "invalid_position" });
      await expect(store.branch("s", 1, { id: "s" })).rejects.toMatchObject({ code: "session_exists" });
      expect((await store.list()).sessions).toHaveLength(1);
    });

    it("removes a session, and ends its readers", async () => {
      const store = await startWith("s", many(10));
      const readers = [followed(store, "s", 0), followed(store, "s", 11)];
      await readers[0]?.reaches(11);
      await store.remove("s");
      for (const reader of readers)
        await expect(reader.ended).rejects.toMatchObject({
          code: "session_removed",
          message: 'Session "s" was removed.',
        });
      expect(await store.get("s")).toBeUndefined();
      expect((await store.list()).sessions).toEqual([]);
      await expect(store.read("s", 0, 1)).rejects.toMatchObject({ code: "session_not_found" });
      await expect(store.remove("s")).rejects.toMatchObject({ code: "session_not_found" });
      await store.create({ id: "s", directory: "/new" });
      expect(await store.read("s", 0, 10)).toMatchObject([{ position: 1, directory: "/new" }]);
      const again = followed(store, "s", 0);
      await again.reaches(1);
      await store.append("s", [USAGE]);
      await again.reaches(2);
      again.abort();
    });

    it("removes what was streamed with the session", async () => {
      const store = await startWith("s");
      store.publish("s", { type: "message.delta", messageID: "m", text: "old" });
      await store.remove("s");
      await store.create({ id: "s", directory: "/p" });
      const reader = followed(store, "s", 0);
      await reader.reaches(1);
      await turn();
      expect(reader.events).toHaveLength(1);
      reader.abort();
    });
  });

  describe(`[S2] ${name}: snapshots, if it has them`, () => {
    const snapshotAt = (position: number): LogSnapshot => ({ fold: 1, position, kept: [1, position] });

    it("stores the last one, also for a branch that has its events", async () => {
      const { store } = await start();
      const { createdAt } = await store.create({ id: "s", directory: "/p" });
      await store.append("s", many(9));
      if (!store.snapshot || !store.storeSnapshot) return;
      expect(await store.snapshot("s")).toBeUndefined();
      await Promise.all(
        [6, 8, 7].map((position) => store.storeSnapshot?.({ id: "s", createdAt }, snapshotAt(position))),
      );
      expect(await store.snapshot("s")).toEqual(snapshotAt(7));
      for (const [at, found] of [
        [6, undefined],
        [7, snapshotAt(7)],
      ] as const) {
        const branch = await store.branch("s", at);
        expect([undefined, found]).toContainEqual(await store.snapshot(branch.id));
      }
      expect(await store.get("s")).toMatchObject({ position: 10 });
    });

    it("reads the events at positions, of large ones fewer", async () => {
      const store = await startWith("s", many(9));
      if (!store.readAt) return;
      const positions = async (...at: number[]): Promise<readonly number[]> =>
        ((await store.readAt?.("s", at)) ?? []).map(({ position }) => position);
      expect(await store.readAt("s", [2, 5])).toEqual(
        [await store.read("s", 1, 1), await store.read("s", 4, 1)].flat(),
      );
      expect(await positions(1, 10, 11, 99)).toEqual([1, 10]);
      expect(await positions()).toEqual([]);
      await store.append("s", [user("x".repeat(1_500_000)), user("x".repeat(1_500_000))]);
      expect(await positions(11, 12)).toEqual(expect.arrayContaining([11]));
      await expect(store.readAt("t", [1])).rejects.toMatchObject({ code: "session_not_found" });
    });

    it("has none of a session that was removed, and none beyond the log", async () => {
      const { store } = await start();
      const old = await store.create({ id: "s", directory: "/p" });
      if (!store.snapshot || !store.storeSnapshot) return;
      await store.storeSnapshot(old, snapshotAt(1));
      await store.remove("s");
      await expect(store.snapshot("s")).rejects.toMatchObject({ code: "session_not_found" });
      await store.storeSnapshot(old, snapshotAt(1));
      while (Date.now() === old.createdAt) await turn();
      const created = await store.create({ id: "s", directory: "/p" });
      expect(await store.snapshot("s")).toBeUndefined();
      await store.storeSnapshot(old, snapshotAt(1));
      await store.storeSnapshot(created, snapshotAt(2));
      expect(await store.snapshot("s")).toBeUndefined();
    });
  });

  describe(`${name}: claim, close`, () => {
    it("has one owner with a turn, and any number with a call", async () => {
      const store = await startWith("s");
      await store.create({ id: "t", directory: "/p" });
      const calls = [await store.claim("s", "call"), await store.claim("s", "call")];
      const claim = await store.claim("s", "turn");
      await expect(store.claim("s", "turn")).rejects.toMatchObject({
        code: "owned",
        message: 'Session "s" is running. Wait until it ends, or cancel it first: toolwright sessions cancel s',
      });
      calls.push(await store.claim("s", "call"));
      await store.claim("t", "turn");
      await claim.release();
      await claim.release();
      const second = await store.claim("s", "turn");
      await claim.release();
      await expect(store.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
      for (const call of calls) await call.release();
      await second.release();
      expect(await store.get("s")).toMatchObject({ position: 1, status: "idle" });
    });

    it("interrupts a turn that is released before its end, with what is open, and no other", async () => {
      const store = await startWith("s", [{ type: "message.user", messageID: "m", content: [] }, TOOL_START]);
      const call = await store.claim("s", "call");
      await call.release();
      expect(await store.get("s")).toMatchObject({ status: "running", position: 3 });
      const claim = await store.claim("s", "turn");
      const reader = followed(store, "s", 3);
      await claim.release();
      await reader.reaches(4);
      expect(reader.events).toMatchObject([
        {
          type: "session.interrupted",
          reason: "The process that ran this session could not record the end of the turn.",
          calls: [CALL.callID],
        },
      ]);
      await (await store.claim("s", "turn")).release();
      expect(await store.get("s")).toMatchObject({ status: "interrupted", position: 4 });
      reader.abort();
    });

    it("appends events with a claim, or does neither", async () => {
      const store = await startWith("s");
      const claim = await store.claim("s", "turn", [USAGE, user("Hello")]);
      expect(claim.position).toBe(3);
      expect(await store.read("s", 1, 10)).toMatchObject([{ type: "usage" }, { type: "message.user" }]);
      await expect(store.claim("s", "turn", [USAGE])).rejects.toMatchObject({ code: "owned" });
      const invalid = { type: "message.user" } as NewEvent;
      await expect(store.claim("s", "call", [USAGE, invalid])).rejects.toMatchObject({ code: "invalid_event" });
      expect(await store.get("s")).toMatchObject({ position: 3 });
      await store.append("s", [{ type: "session.idle" }]);
      await claim.release();
      expect((await store.claim("s", "call")).position).toBeUndefined();
      expect(await store.get("s")).toMatchObject({ status: "idle", position: 4 });
    });

    it("refuses appends with the epoch of a claim that is over, of any number and none of them", async () => {
      const store = await startWith("s");
      await store.create({ id: "t", directory: "/p" });
      const first = await store.claim("s", "turn");
      const epoch = first.epoch as number;
      expect(epoch).toBeTypeOf("number");
      expect(await store.append("s", [USAGE], { epoch })).toBe(2);
      expect(await store.append("s", [USAGE], { epoch, expected: 2 })).toBe(3);
      await expect(store.append("s", [USAGE], { epoch, expected: 2 })).rejects.toMatchObject({ code: "conflict" });
      const refusal = {
        code: "superseded",
        message:
          'The turn of session "s" is over: this process did not respond for some time, and another one has ended the turn. Send the message again.',
      };
      await expect(store.append("t", [USAGE], { epoch })).rejects.toMatchObject({ code: "superseded" });
      await first.release();
      const second = await store.claim("s", "turn");
      expect(second.epoch).toBeGreaterThan(epoch);
      await expect(store.append("s", [USAGE], { epoch })).rejects.toMatchObject(refusal);
      await expect(store.append("s", [], { epoch })).rejects.toMatchObject(refusal);
      expect(await store.append("s", [USAGE], { epoch: second.epoch as number })).toBe(4);
      expect(await store.append("s", [{ type: "cancel.requested" }])).toBe(5);
    });

    it("interrupts the calls of the agent with its turn, and those of users when their owner leaves them open", async () => {
      const store = await startWith("s");
      const call = await store.claim("s", "call", [{ ...TOOL_START, callID: "u", agent: "" } as NewEvent]);
      const turn = await store.claim("s", "turn", [user("Hello"), TOOL_START]);
      await turn.release();
      await call.release();
      expect(await store.read("s", 4, 10)).toMatchObject([
        { type: "session.interrupted", calls: ["c1"] },
        {
          type: "session.interrupted",
          calls: ["u"],
          reason: "The process that ran this call could not record its end.",
        },
      ]);
      expect(await store.get("s")).toMatchObject({ status: "interrupted", openCalls: [] });
    });

    it("removes a session that this process runs", async () => {
      const store = await startWith("s", [TOOL_START]);
      const claim = await store.claim("s", "turn");
      await store.remove("s");
      await store.create({ id: "s", directory: "/p" });
      const next = await store.claim("s", "turn");
      await claim.release();
      await expect(store.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
      await next.release();
    });

    it("ends readers and refuses everything after it was closed", async () => {
      const store = await startWith("s", many(5));
      const claim = await store.claim("s", "turn");
      const reader = followed(store, "s", 0);
      await reader.reaches(6);
      const append = store.append("s", [USAGE]);
      await store.close();
      expect(await append).toBe(7);
      await reader.ended;
      await store.close();
      await store[Symbol.asyncDispose]();
      await claim.release();
      const closed = { code: "store_closed", message: "The session store is closed." };
      await expect(store.create({ directory: "/p" })).rejects.toMatchObject(closed);
      await expect(store.get("s")).rejects.toMatchObject(closed);
      await expect(store.append("s", [USAGE])).rejects.toMatchObject(closed);
      await expect(store.read("s", 0, 1)).rejects.toMatchObject(closed);
      await expect(followed(store, "s", 0).ended).rejects.toMatchObject(closed);
      await expect(store.list()).rejects.toMatchObject(closed);
      await expect(store.branch("s", 1)).rejects.toMatchObject(closed);
      await expect(store.remove("s")).rejects.toMatchObject(closed);
      await expect(store.claim("s", "call")).rejects.toMatchObject(closed);
      store.publish("s", { type: "message.delta", messageID: "m", text: "x" });
    });
  });

  describeInterleavings(name, open, runs);
}
