import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import type { Call } from "../calls/call.ts";
import { Clock } from "../calls/clock.ts";
import type { NewQuestion } from "../calls/permission-question.ts";
import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { forwardAnswer } from "./forward-answer.ts";
import { LocalSession } from "./local-session.ts";
import { OpenQuestions } from "./open-questions.ts";
import { RecordedSession } from "./recorded-session.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { openSqliteStore } from "./store/sqlite-store.ts";
import { storedEvents } from "./stored-events.ts";

const QUESTION: Pick<NewQuestion, "reason" | "details"> = {
  reason: "May it?",
  details: { kind: "dialog", method: "input" },
};
const CALL = { callID: "c", tool: "t", messageID: "m", agent: "a" };

type Append = (event: DurableEvent, append: () => Promise<number>) => Promise<number>;

/** A store whose appends of single events pass through a function. */
function passing(store: SessionStore, through: Append): SessionStore {
  const append: SessionStore["append"] = (id, events, options) => {
    const [event] = events;
    const real = (): Promise<number> => store.append(id, events, options);
    return event ? through(event, real) : real();
  };
  return new Proxy(store, {
    get: (target, key) => {
      if (key === "append") return append;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const opened: SessionStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const STORES: readonly [string, () => Promise<SessionStore>][] = [
  ["memory", async () => createMemoryStore({ project: "/p" })],
  ["SQLite", () => openSqliteStore({ file: join(temporary(), "s.db"), project: "/p" })],
];

interface World {
  readonly store: SessionStore;
  readonly open: OpenQuestions;
  readonly abort: AbortController;
  readonly own: AbortController;
  readonly call: Call;
  readonly end: () => void;
  isAllowed: boolean;
}

/** A call of the session "child", for which a call of the session "parent" waits. Both are recorded. */
async function world(openStore: () => Promise<SessionStore>, through: Append): Promise<World> {
  const store = await openStore();
  opened.push(store);
  const passed = passing(store, through);
  const atEnd: (() => void)[] = [];
  const abort = new AbortController();
  const callOf = async (id: string): Promise<Call> => {
    const session = new LocalSession(id);
    const answered = ({ questionID, ...answer }: { questionID: string; allowed: boolean }): void =>
      void open.settle(questionID, answer);
    const ignore = (): void => {};
    session.log = new RecordedSession(passed, id, {
      fold: ignore,
      kept: () => [],
      cancel: ignore,
      cancelTurn: ignore,
      superseded: ignore,
      lost: ignore,
      answered,
    });
    await session.log.create({ directory: "/p" });
    await session.log.begin({ type: "tool.start", caller: "agent", ...CALL, input: {} });
    const scope = { answerable: true, session };
    const context = { ...CALL, sessionID: id };
    const clock = new Clock({ ms: 60_000, waitMs: 60_000 }, ignore);
    return { name: "t", context, scope, signal: abort.signal, clock, emit: ignore, atEnd } as unknown as Call;
  };
  const parent = await callOf("parent");
  const open = new OpenQuestions({
    approver: undefined,
    callsAbove: () => [parent],
    saveRules: async () => async () => {},
  });
  const call = await callOf("child");
  const end = (): void => {
    for (const finish of [...atEnd]) finish();
  };
  return { store, open, abort, own: new AbortController(), call, end, isAllowed: false };
}

function ask({ open, call, own }: World, of: { isAllowed: boolean }): Promise<unknown> {
  return open.ask(call, { ...QUESTION, signal: own.signal, isAllowed: () => of.isAllowed });
}

/** Resolves when a session has no open question, and to the ends of its questions. */
async function closed({ store }: World, id: string): Promise<StoredEvent[]> {
  const abort = new AbortController();
  for await (const event of store.follow(id, 0, abort.signal)) {
    if ("position" in event && event.type === "question.answered") abort.abort();
  }
  expect((await store.get(id))?.openQuestions).toEqual([]);
  const ends: StoredEvent[] = [];
  for await (const event of storedEvents(store, id, ["question.answered"])) ends.push(event);
  return ends;
}

const WITHDRAWALS: readonly [string, (world: World) => unknown][] = [
  ["its call is aborted", ({ abort }) => abort.abort()],
  ["its call ends", ({ end }) => end()],
  ["its tool dismisses it", ({ own }) => own.abort()],
  [
    "another answer allows it",
    (world) => {
      world.isAllowed = true;
      world.open.withdrawAllowed();
    },
  ],
  ["the toolbox is closed", ({ open }) => open.close()],
  ["its call is aborted twice and ends", ({ abort, end }) => [abort.abort(), abort.abort(), end()]],
];

describe.each(STORES)("[P3] [S3] a question in a %s store", (_store, openStore) => {
  for (const [why, withdraw] of WITHDRAWALS) {
    it(`that is withdrawn while it is being stored, because ${why}, is closed in all sessions that have it`, async () => {
      const held = Promise.withResolvers<void>();
      const isHeld = Promise.withResolvers<void>();
      const at = await world(openStore, async (event, append) => {
        if (event.type !== "question.asked") return append();
        isHeld.resolve();
        await held.promise;
        return append();
      });
      const outcome = ask(at, at);
      await isHeld.promise;
      withdraw(at);
      // Time for a withdrawal that does not wait for the question.
      await new Promise((resolve) => setTimeout(resolve, 20));
      held.resolve();
      await outcome;
      expect(await closed(at, "child")).toMatchObject([{ withdrawn: true }]);
      expect((await at.store.get("parent"))?.openQuestions).toEqual([]);
    });

    it(`that is withdrawn while its copies are being stored, because ${why}, is closed in all sessions that have it`, async () => {
      const held = Promise.withResolvers<void>();
      const isHeld = Promise.withResolvers<void>();
      let asked = 0;
      const at = await world(openStore, async (event, append) => {
        if (event.type !== "question.asked" || ++asked === 1) return append();
        isHeld.resolve();
        await held.promise;
        return append();
      });
      const outcome = ask(at, at);
      await isHeld.promise;
      withdraw(at);
      held.resolve();
      await outcome;
      expect(await closed(at, "child")).toMatchObject([{ withdrawn: true }]);
      expect(await closed(at, "parent")).toMatchObject([{ withdrawn: true }]);
    });

    it(`that is withdrawn while the store fails, because ${why}, is closed when the store works again`, async () => {
      let failures = why === "the toolbox is closed" ? 2 : 4;
      const at = await world(openStore, async (event, append) => {
        if (event.type !== "question.answered" || failures === 0) return append();
        failures -= 1;
        throw new SessionError("store_busy", "Busy.");
      });
      const outcome = ask(at, at);
      while (at.open.list().length === 0) await new Promise(setImmediate);
      withdraw(at);
      await outcome;
      expect(await closed(at, "child")).toMatchObject([{ withdrawn: true }]);
      expect(await closed(at, "parent")).toMatchObject([{ withdrawn: true }]);
      expect(failures).toBe(0);
    });
  }

  it("whose answer cannot be stored is withdrawn when the store works again", async () => {
    let failures = 1;
    const at = await world(openStore, async (event, append) => {
      if (event.type !== "question.answered" || failures-- <= 0) return append();
      throw new SessionError("store_full", "Full.");
    });
    const outcome = ask(at, at);
    while (at.open.list().length === 0) await new Promise(setImmediate);
    const [question] = at.open.list();
    await expect(at.open.answer(question?.questionID ?? "", { allowed: true, value: "x" })).rejects.toThrow("Full.");
    expect(await outcome).toEqual({ kind: "failed", what: "The answer could not be stored" });
    for (const id of ["child", "parent"])
      expect(await closed(at, id)).toMatchObject([{ withdrawn: true, allowed: false }]);
  });

  it("has one end if it is answered twice and withdrawn at once, by two processes", async () => {
    for (const order of [0, 1, 2, 3, 4, 5]) {
      const at = await world(openStore, (_event, append) => append());
      const outcome = ask(at, at);
      while (at.open.list().length === 0) await new Promise(setImmediate);
      const questionID = at.open.list()[0]?.questionID ?? "";
      const answer = { allowed: true, value: "x" } as const;
      const acts: (() => unknown)[] = [
        () => at.open.answer(questionID, answer),
        () =>
          forwardAnswer(
            at.store,
            "child",
            { type: "question.answered", questionID, ...answer, value: "y" },
            async () => async () => {},
          ),
        () => at.abort.abort(),
      ];
      const [first] = acts.splice(order % 3, 1);
      if (order > 2) acts.reverse();
      await Promise.allSettled([first, ...acts].map(async (act) => act?.()));
      await outcome;
      await at.open.close();
      for (const id of ["child", "parent"]) expect(await closed(at, id)).toHaveLength(1);
    }
  });

  it("is withdrawn when the last claim of its session is released", async () => {
    const store = await openStore();
    opened.push(store);
    await store.create({ id: "s", directory: "/p" });
    const [first, second] = [await store.claim("s", "call"), await store.claim("s", "call")];
    await store.append("s", [
      { type: "question.asked", questionID: "q", ...CALL, reason: "May it?", kind: "dialog", method: "input" },
    ]);
    await first.release();
    expect(await store.get("s")).toMatchObject({ status: "waiting" });
    await second.release();
    expect(await store.get("s")).toMatchObject({ status: "idle", openQuestions: [] });
    expect((await store.read("s", 2, 10)).map(({ position: _p, at: _at, v: _v, ...event }) => event)).toEqual([
      {
        type: "question.answered",
        questionID: "q",
        allowed: false,
        withdrawn: true,
        reason: "The call ended before the question was answered.",
      },
    ]);
  });
});

describe("[S3] a session that no process claims", () => {
  const asked = {
    type: "question.asked",
    questionID: "q",
    ...CALL,
    reason: "May it?",
    kind: "dialog",
    method: "input",
  } as const;
  const start = { type: "tool.start", ...CALL, input: {} } as const;
  const end = {
    type: "tool.failed",
    ...CALL,
    result: { ok: false, content: [], error: { code: "aborted", message: "" }, notes: { durationMs: 1 } },
  } as const;
  it.each<[string, readonly DurableEvent[], string, string]>([
    ["a question of a call that has ended", [start, asked, end], "idle", "question.answered"],
    ["a copy of a question", [asked], "idle", "question.answered"],
    ["a question of a running call", [start, asked], "interrupted", "session.interrupted"],
    ["a running call", [start], "interrupted", "session.interrupted"],
    [
      "a question in a running turn",
      [{ type: "message.user", messageID: "m", content: [] }, asked],
      "interrupted",
      "session.interrupted",
    ],
    ["nothing open", [start, end], "idle", "tool.failed"],
  ])("and that has %s is ended by the process that opens the store next", async (_, events, status, last) => {
    const file = join(temporary(), "s.db");
    const before = await openSqliteStore({ file, project: "/p" });
    await before.create({ id: "s", directory: "/p" });
    await before.append("s", events);
    await before.close();
    const database = new DatabaseSync(file);
    database.exec("UPDATE sessions SET updated = updated - 61000");
    database.close();
    for (const _again of [1, 2]) {
      const store = await openSqliteStore({ file, project: "/q" });
      await store.close();
    }
    const store = await openSqliteStore({ file, project: "/p" });
    expect(await store.get("s")).toMatchObject({ status, openQuestions: [], openCalls: [] });
    expect((await store.read("s", 1, 100)).map(({ type }) => type)).toEqual([
      ...events.map(({ type }) => type),
      ...(status === "idle" && last === "tool.failed" ? [] : [last]),
    ]);
    await store.close();
  });
});
