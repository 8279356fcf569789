import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { createMemoryStore } from "../session-store/memory-store.ts";
import { openSqlite } from "../session-store/sqlite-driver.ts";
import { openSqliteStore } from "../session-store/sqlite-store.ts";
import { RecordedSession } from "./recorded-session.ts";

const CALL = { tool: "t", messageID: "m", agent: "a", input: {} };
const REACTIONS = { fold: () => {}, answered: () => {}, cancel: () => {}, cancelTurn: () => {}, lost: () => {} };

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
    await log.begin({ type: "tool.start", callID: "new", ...CALL });
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
    await log.begin({ type: "tool.start", callID: "c", ...CALL });
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
    await log.begin({ type: "tool.start", callID: "c", ...CALL });
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
      await log.begin({ type: "tool.start", callID: "c", ...CALL });
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
});

/** The store with other methods. */
function overriding(store: SessionStore, methods: Partial<SessionStore>): SessionStore {
  return new Proxy(store, {
    get: (_, name) => Reflect.get(methods, name) ?? (Reflect.get(store, name) as () => void).bind(store),
  });
}
