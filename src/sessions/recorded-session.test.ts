import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import { type Claim, SessionError, type SessionStore } from "../core/session-store.ts";
import { type LogReactions, RecordedSession } from "./recorded-session.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { openSqlite } from "./store/sqlite-driver.ts";
import { openSqliteStore } from "./store/sqlite-store.ts";

const CALL = { tool: "t", messageID: "m", agent: "a", input: {} };
const REACTIONS = {
  fold: () => {},
  kept: () => [],
  answered: () => {},
  cancel: () => {},
  cancelTurn: () => {},
  superseded: () => {},
  lost: () => {},
};

describe("[S3] the log of a session", () => {
  it("ends the calls of an owner that is gone before the next call begins, and not that call", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await openSqliteStore({ file, project: "/p" });
    onTestFinished(() => store.close());
    await store.create({ id: "s", directory: "/p" });
    await store.append("s", [{ type: "tool.start", callID: "old", ...CALL }]);
    const log = new RecordedSession(store, "s", REACTIONS);
    await log.refresh();
    const database = openSqlite(file);
    database.exec(
      `INSERT INTO processes (key, pid, machine, renewed) SELECT 99, ${spawnSync("true").pid}, machine, 0 FROM processes LIMIT 1;
       INSERT INTO claims (session, process, why) SELECT key, 99, 'call' FROM sessions`,
    );
    database.close();
    await log.begin({ type: "tool.start", callID: "new", caller: "agent", ...CALL });
    expect(await store.read("s", 2, 10)).toMatchObject([
      { type: "session.interrupted", calls: ["old"] },
      { type: "tool.start", callID: "new" },
    ]);
    expect(await store.get("s")).toMatchObject({ status: "running", openCalls: ["new"] });
    await log.release();
  });

  it("hears answers and requests to cancel also after its reader was too slow", async () => {
    const store = createMemoryStore({ project: "/p" });
    await store.create({ id: "s", directory: "/p" });
    const cutOff = Promise.withResolvers<void>();
    let readers = 0;
    const follow: SessionStore["follow"] = async function* (id, after, signal) {
      readers += 1;
      if (readers > 1) return yield* store.follow(id, after, signal);
      await cutOff.promise;
      throw new SessionError("reader_too_slow", "slow");
    };
    const answered = Promise.withResolvers<unknown>();
    const reactions = { ...REACTIONS, answered: answered.resolve, lost: answered.reject };
    const log = new RecordedSession(overriding(store, { follow }), "s", reactions);
    await log.begin({ type: "tool.start", callID: "c", caller: "agent", ...CALL });
    await store.append("s", [{ type: "question.answered", questionID: "q", allowed: true }]);
    await log.append({ type: "state.set", of: "tools", key: "key", value: 1 });
    cutOff.resolve();
    expect(await answered.promise).toMatchObject({ questionID: "q" });
    await log.close();
  });

  it("has an end of each call, also if the result is too large for it", async () => {
    const store = createMemoryStore({ project: "/p" });
    await store.create({ id: "s", directory: "/p" });
    const log = new RecordedSession(store, "s", REACTIONS);
    await log.begin({ type: "tool.start", callID: "c", caller: "agent", ...CALL });
    const { input: _, ...call } = { callID: "c", ...CALL };
    const text = "x".repeat(17_000_000);
    const result = { ok: true, content: [{ type: "text", text }], notes: { durationMs: 1 } } as const;
    await expect(log.end({ type: "tool.complete", ...call, result })).rejects.toMatchObject({ code: "too_large" });
    expect(await store.get("s")).toMatchObject({ status: "idle", openCalls: [] });
    expect(await store.read("s", 2, 10)).toMatchObject([
      {
        type: "tool.complete",
        callID: "c",
        result: { ok: true, content: [{ type: "text", text: "The result could not be recorded." }] },
      },
    ]);
  });

  it.each([true, false])(
    "gets the end of a call when it is closed, if it could not be stored before: %s",
    async (fails) => {
      const store = createMemoryStore({ project: "/p" });
      await store.create({ id: "s", directory: "/p" });
      let isFull = false;
      const append: SessionStore["append"] = (id, events, options) =>
        isFull ? Promise.reject(new SessionError("store_full", "full")) : store.append(id, events, options);
      const log = new RecordedSession(overriding(store, { append }), "s", REACTIONS);
      await log.begin({ type: "tool.start", callID: "c", caller: "agent", ...CALL });
      const { input: _, ...call } = { callID: "c", ...CALL };
      const result = { ok: true, content: [], notes: { durationMs: 1 } } as const;
      isFull = fails;
      const ended = log.end({ type: "tool.complete", ...call, result });
      if (fails) await expect(ended).rejects.toThrow("full");
      await ended.catch(() => {});
      isFull = false;
      await log.close();
      expect(await store.get("s")).toMatchObject({ status: "idle", openCalls: [], position: 3 });
    },
  );

  it("stores the end of a call later if it cannot be stored now, and owns the session until then", async () => {
    const { store, overridden, log } = await opened();
    await log.begin(start("c", ""));
    overridden.append = () => Promise.reject(new SessionError("store_full", "full"));
    const result = { ok: true, content: [], data: "kept", notes: { durationMs: 1 } } as const;
    await expect(log.end({ type: "tool.complete", ...call("c", ""), result })).rejects.toThrow("full");
    await sleep(300);
    expect(await store.get("s")).toMatchObject({ status: "running", openCalls: ["c"] });
    delete overridden.append;
    await until(async () => (await store.get("s"))?.status === "idle");
    expect(await store.read("s", 2, 10)).toMatchObject([
      { type: "tool.complete", callID: "c", result: { data: "kept" } },
    ]);
    const claim = await store.claim("s", "call");
    await log.close();
    await claim.release();
    expect(await store.get("s")).toMatchObject({ position: 3 });
  });

  it("has no call without a claim, and no claim without a call, if one of them cannot be stored", async () => {
    const { store, overridden, log } = await opened();
    for (const name of ["claim", "append"] as const) {
      const refuse = (): Promise<never> => Promise.reject(new SessionError("store_busy", "busy"));
      Object.assign(overridden, { [name]: refuse });
      if (name === "append") overridden.claim = async (id, why) => store.claim(id, why);
      await expect(log.begin(start("c", ""))).rejects.toThrow("busy");
      await expect(log.begin(start("d", ""))).rejects.toThrow("busy");
      delete overridden[name];
    }
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 1 });
    delete overridden.claim;
    await Promise.all([log.begin(start("e", "")), log.begin(start("f", ""))]);
    await Promise.all(["e", "f"].map((id) => log.end(endOf(id, ""))));
    await log.close();
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 5 });
  });

  it("claims the session once for calls of users that overlap or follow one another, and gives it up afterwards", async () => {
    const { store, overridden, log } = await opened();
    let [claims, released] = [0, 0];
    overridden.claim = async (...args) => {
      claims += 1;
      const claim = await store.claim(...args);
      const release = async (): Promise<void> => {
        await claim.release();
        released += 1;
      };
      return { ...claim, release };
    };
    await Promise.all(["a", "b", "c"].map((id) => log.begin(start(id, ""))));
    for (const id of ["a", "b", "c"]) await log.end(endOf(id, ""));
    await log.begin(start("d", ""));
    await log.end(endOf("d", ""));
    await until(async () => released === 1);
    expect([claims, released]).toEqual([1, 1]);
    await log.begin(start("e", ""));
    await log.close();
    expect([claims, released]).toEqual([2, 2]);
    expect(await store.get("s")).toMatchObject({ status: "idle" });
  });

  it("keeps a call of a user apart from the turn, whose claim is pending, refused or over", async () => {
    const { store, overridden, log } = await opened();
    const begun = Promise.withResolvers<void>();
    overridden.claim = async (id, why, first) => {
      if (why === "turn") await begun.promise;
      return store.claim(id, why, first);
    };
    const turn = log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await log.begin(start("during", ""));
    const other = await store.claim("s", "turn");
    begun.resolve();
    await expect(turn).rejects.toMatchObject({ code: "owned" });
    await other.release();
    expect(await store.get("s")).toMatchObject({ status: "running", openCalls: ["during"] });
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await log.endTurn();
    expect(await store.get("s")).toMatchObject({ turn: "interrupted", openCalls: ["during"] });
    await log.end(endOf("during", ""));
    await log.close();
    expect(await store.get("s")).toMatchObject({ status: "interrupted", openCalls: [] });
  });

  it.each(["tool.start", "message.user"])(
    "hears a request to cancel that is committed with %s, before it knows its position",
    async (type) => {
      const cancelled: string[] = [];
      const reactions = {
        cancel: (ids: readonly string[]) => void cancelled.push(...ids),
        cancelTurn: () => void cancelled.push("turn"),
      };
      const { store, overridden, log } = await opened(reactions);
      const heard = Promise.withResolvers<void>();
      overridden.claim = async (...args) => {
        const claim = await store.claim(...args);
        await store.append("s", [{ type: "cancel.requested" }]);
        // The reader is told of both before this promise resolves.
        await sleep(50);
        heard.resolve();
        return claim;
      };
      await store.append("s", [{ type: "cancel.requested", reason: "an earlier one" }]);
      if (type === "tool.start") await log.begin(start("c", ""));
      else await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
      await heard.promise;
      expect(cancelled).toEqual([type === "tool.start" ? "c" : "turn"]);
      await log.close();
    },
  );

  it("follows the log again after reading has failed, and says so once", async () => {
    const lost: unknown[] = [];
    const cancelled = Promise.withResolvers<readonly string[]>();
    const reactions = {
      cancel: (ids: readonly string[]) => ids.length > 0 && cancelled.resolve(ids),
      lost: (error: unknown) => void lost.push(error),
    };
    const { store, overridden, log } = await opened(reactions);
    let failures = 0;
    overridden.follow = async function* (id, after, signal) {
      failures += 1;
      if (failures < 4) throw new SessionError("store_failed", `failure ${failures}`);
      yield* store.follow(id, after, signal);
    };
    await log.begin(start("c", ""));
    await store.append("s", [{ type: "cancel.requested", callID: "c" }]);
    expect(await cancelled.promise).toEqual(["c"]);
    expect(lost).toMatchObject([{ message: "failure 1" }]);
    await log.close();
  });

  it("follows the log no longer after the session was removed, and says so", async () => {
    const lost = Promise.withResolvers<unknown>();
    const { store, log } = await opened({ lost: lost.resolve });
    await log.begin(start("c", ""));
    await store.remove("s");
    expect(await lost.promise).toMatchObject({ code: "session_removed" });
    await log.close();
  });

  it("learns from the log, and from its own appends, that another process has ended the turn", async () => {
    const superseded: unknown[] = [];
    const { store, overridden, log } = await opened({ superseded: (error) => void superseded.push(error) });
    let release = async (): Promise<void> => {};
    overridden.claim = async (...args) => {
      const claim = await store.claim(...args);
      ({ release } = claim);
      return claim;
    };
    const prompt = { type: "message.user", messageID: "m", content: [] } as const;
    // An interruption that is read, an append of the turn, a call, an end of a call, a question.
    const proofs: readonly (() => Promise<unknown>)[] = [
      () => until(async () => superseded.length > 0),
      () => log.append({ type: "usage" }),
      () => log.append({ type: "session.idle" }),
      () => log.begin(start("late", "a")),
      () => log.append({ type: "state.set", of: "agent", key: "session", value: 1 }),
      () => log.append({ ...QUESTION, questionID: "q", callID: "foreign", agent: "a" }),
    ];
    for (const prove of proofs) {
      superseded.length = 0;
      await log.beginTurn([prompt]);
      await log.append({ type: "usage" });
      await release();
      const { position } = (await store.get("s")) ?? {};
      await prove().catch((error: unknown) => expect(error).toMatchObject({ code: "superseded" }));
      expect(superseded[0]).toMatchObject({ code: "superseded" });
      expect(await store.get("s")).toMatchObject({ position });
      // What does not belong to the turn is stored.
      await log.append({ type: "cancel.requested" });
      await log.append({ type: "state.set", of: "session", key: "title", value: "T" });
      await log.begin(start("user's", ""));
      await log.end(endOf("user's", ""));
      expect(await store.get("s")).toMatchObject({ position: (position ?? 0) + 4, openCalls: [] });
      await log.endTurn();
    }
    await log.close();
  });

  it("follows the log to the end of the turn although it once could not read what other processes had written", async () => {
    const cancelled = Promise.withResolvers<void>();
    const { store, overridden, log } = await opened({ cancelTurn: cancelled.resolve });
    const reading = Promise.withResolvers<void>();
    const followed = store.follow.bind(store);
    overridden.follow = async function* (id, after, signal) {
      for await (const event of followed(id, after, signal)) {
        if ("position" in event && event.position === 4) await reading.promise;
        yield event;
      }
    };
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await store.append("s", [{ type: "usage" }]);
    await sleep(50);
    let failures = 0;
    overridden.read = async () => {
      await sleep(100);
      failures += 1;
      throw new SessionError("store_failed", "unreadable");
    };
    await store.append("s", [{ type: "usage" }, { type: "usage" }]);
    // Reads the events between, and events arrive meanwhile.
    const appended = log.append({ type: "usage" }).catch(() => {});
    await sleep(20);
    reading.resolve();
    await appended;
    await until(async () => failures > 1);
    delete overridden.read;
    await store.append("s", [{ type: "cancel.requested" }]);
    await cancelled.promise;
    await log.close();
  });

  it("follows the log again after the store has ended the reader without an error", async () => {
    const cancelled = Promise.withResolvers<void>();
    const { store, overridden, log } = await opened({ cancelTurn: cancelled.resolve });
    let readers = 0;
    overridden.follow = async function* (id, after, signal) {
      readers += 1;
      if (readers > 1) yield* store.follow(id, after, signal);
    };
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await store.append("s", [{ type: "cancel.requested" }]);
    await cancelled.promise;
    await log.close();
  });

  it("stores the ends of the calls of a turn before it gives up the turn, although they could not be stored before", async () => {
    const { store, overridden, log } = await opened();
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await log.begin(start("c", "a"));
    overridden.append = async () => Promise.reject(new SessionError("store_full", "full"));
    await expect(log.end(endOf("c", "a"))).rejects.toThrow("full");
    // The next attempts are seconds apart.
    await sleep(500);
    delete overridden.append;
    await log.append({ type: "session.idle" });
    await log.endTurn();
    expect(await store.get("s")).toMatchObject({ status: "idle", openCalls: [] });
    expect(await store.read("s", 3, 10)).toMatchObject([{ type: "session.idle" }, { type: "tool.complete" }]);
    await log.close();
  });

  it("ends a turn although its claim cannot be given up now: the store does that later", async () => {
    const { store, overridden, log } = await opened();
    overridden.claim = async (...args) => {
      const claim = await store.claim(...args);
      return { ...claim, release: () => Promise.reject(new SessionError("store_busy", "busy")) };
    };
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await log.append({ type: "session.idle" });
    await log.endTurn();
    await log.close();
  });

  it("does not keep the caller of a call waiting whose result is too large, while nothing can be stored", async () => {
    const { store, overridden, log } = await opened();
    await log.begin(start("c", ""));
    let isBusy = false;
    overridden.append = (id, events, options) =>
      isBusy ? Promise.reject(new SessionError("store_busy", "busy")) : store.append(id, events, options);
    const text = "x".repeat(17_000_000);
    const ended = log.end({
      ...endOf("c", ""),
      result: { ok: true, content: [{ type: "text", text }], notes: { durationMs: 1 } },
    });
    isBusy = true;
    const late = sleep(20_000).then(() => "late");
    expect(await Promise.race([ended.catch(({ code }: SessionError) => code), late])).toBe("too_large");
    isBusy = false;
    await log.close();
    expect(await store.get("s")).toMatchObject({ status: "idle", openCalls: [] });
  });

  it("claims the session again for a call of a user if another process has taken the claim away", async () => {
    const { store, overridden, log } = await opened();
    const claims: Claim[] = [];
    overridden.claim = async (...args) => {
      const claim = await store.claim(...args);
      claims.push(claim);
      return claim;
    };
    await log.begin(start("long", ""));
    await claims[0]?.release();
    expect(await store.get("s")).toMatchObject({ status: "interrupted" });
    await Promise.all([log.begin(start("new", "")), log.begin(start("third", ""))]);
    expect(claims).toHaveLength(2);
    // As after the end of this process.
    await claims[1]?.release();
    expect(await store.get("s")).toMatchObject({ status: "interrupted", openCalls: [] });
    await log.close();
  });

  it("does not take its own interruption for one of another process", async () => {
    const superseded: unknown[] = [];
    const { log } = await opened({ superseded: (error) => void superseded.push(error) });
    await log.beginTurn([{ type: "message.user", messageID: "m", content: [] }]);
    await log.append({ type: "session.interrupted", reason: "stopped", calls: [], questions: [] });
    await sleep(50);
    await log.endTurn();
    await log.close();
    expect(superseded).toEqual([]);
  });

  it("works with a store that has neither epochs nor events of claims", async () => {
    const { store, overridden, log } = await opened();
    overridden.claim = async (id, why) => {
      const claim = await store.claim(id, why);
      return { release: () => claim.release() };
    };
    await log.beginTurn([{ type: "usage" }, { type: "message.user", messageID: "m", content: [] }]);
    await log.begin(start("a", "a"));
    await log.begin(start("b", ""));
    for (const [id, agent] of [
      ["a", "a"],
      ["b", ""],
    ] as const)
      await log.end(endOf(id, agent));
    await log.append({ type: "session.idle" });
    await log.endTurn();
    await log.close();
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 8 });
  });
});

const QUESTION = { type: "question.asked", tool: "t", reason: "Why?", kind: "dialog", method: "confirm" } as const;

function call(callID: string, agent: string) {
  return { callID, tool: "t", messageID: "m", agent };
}

function start(callID: string, agent: string) {
  const caller = agent === "" ? "http" : "agent";
  return { type: "tool.start", ...call(callID, agent), caller, input: {} } as const;
}

function endOf(callID: string, agent: string) {
  const result = { ok: true, content: [], notes: { durationMs: 1 } } as const;
  return { type: "tool.complete", ...call(callID, agent), result } as const;
}

/** A session in memory. The methods in `overridden` replace those of its store. */
async function opened(reactions: Partial<LogReactions> = {}) {
  const store = createMemoryStore({ project: "/p" });
  onTestFinished(() => store.close());
  await store.create({ id: "s", directory: "/p" });
  const overridden: { -readonly [Name in keyof SessionStore]?: SessionStore[Name] } = {};
  const log = new RecordedSession(overriding(store, overridden), "s", { ...REACTIONS, ...reactions });
  await log.refresh();
  return { store, overridden, log };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isSo()); attempt += 1) {
    if (attempt === 200) throw new Error("It did not become so within ten seconds.");
    await sleep(50);
  }
}

/** The store with other methods. */
function overriding(store: SessionStore, methods: Partial<SessionStore>): SessionStore {
  return new Proxy(store, {
    get: (_, name) => Reflect.get(methods, name) ?? (Reflect.get(store, name) as () => void).bind(store),
  });
}
