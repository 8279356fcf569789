import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import type { NewEvent, SessionStore } from "../../core/session-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const EVENTS = 20_000;
const many = (count: number): NewEvent[] => Array.from({ length: count }, () => ({ type: "usage" }));

async function open(file: string): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project: "/p" });
  onTestFinished(() => store.close());
  return store;
}

/** A session with a call that is open in the middle of its log. */
async function withLongSession(store: SessionStore): Promise<SessionStore> {
  const call = { callID: "c", tool: "t", messageID: "m", agent: "" };
  const result = { ok: true, content: [], notes: { durationMs: 1 } } as const;
  await store.create({ id: "long", directory: "/p", title: "Long" });
  await store.append("long", many(EVENTS / 2 - 2));
  await store.append("long", [{ type: "tool.start", ...call, input: {} }]);
  await store.append("long", [{ type: "tool.complete", ...call, result }, ...many(EVENTS / 2 - 1)]);
  return store;
}

/** How many events the database has of sessions, and how many of others. */
function events(file: string): { readonly ofSessions: number; readonly others: number } {
  const database = openSqlite(file);
  const count = (where: string): number =>
    Number(
      database.prepare(`SELECT count(*) AS n FROM events WHERE session ${where} (SELECT key FROM sessions)`).get()?.n,
    );
  try {
    return { ofSessions: count("IN"), others: count("NOT IN") };
  } finally {
    database.close();
  }
}

describe("[S2] a branch of a long session", () => {
  it.each<[string, () => Promise<SessionStore>]>([
    ["on disk", () => open(join(temporary(), "sessions.db"))],
    ["in memory", async () => createMemoryStore({ project: "/p" })],
  ])("%s is made while its source and other sessions go on", async (_, openStore) => {
    const store = await withLongSession(await openStore());
    onTestFinished(() => store.close());
    for (const at of [EVENTS, EVENTS / 2]) {
      let isMade = false;
      const made = store.branch("long", at, { id: `b${at}` }).finally(() => {
        isMade = true;
      });
      await store.append("long", many(1));
      expect([isMade, await store.get(`b${at}`)]).toEqual([false, undefined]);
      const branch = await made;
      const isOpen = at < EVENTS;
      expect(branch).toMatchObject({
        ...{ title: "Long", position: isOpen ? at + 1 : at, status: isOpen ? "interrupted" : "idle", openCalls: [] },
        branchOf: { sessionID: "long", position: at },
      });
      for (const after of [0, at - 100]) {
        const copied = await store.read(`b${at}`, after, 100);
        expect(copied).toEqual(await store.read("long", after, 100));
      }
    }
  });

  it("is not made if its source is removed, or its id is taken meanwhile", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await withLongSession(await open(file));
    const taken = expect(store.branch("long", EVENTS, { id: "b" })).rejects.toMatchObject({ code: "session_exists" });
    await store.append("long", many(1));
    await store.create({ id: "b", directory: "/p" });
    await taken;
    expect(await store.get("b")).toMatchObject({ position: 1 });
    const gone = expect(store.branch("long", EVENTS, { id: "c" })).rejects.toMatchObject({ code: "session_not_found" });
    await store.append("long", many(1));
    await store.remove("long");
    await gone;
    expect((await store.list()).sessions.map(({ id }) => id)).toEqual(["b"]);
    await expect.poll(() => events(file)).toEqual({ ofSessions: 1, others: 0 });
  });

  it("is invisible and deleted, if its process ends before it is complete", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await withLongSession(await open(file));
    const lost = expect(first.branch("long", EVENTS, { id: "b" })).rejects.toMatchObject({ code: "store_closed" });
    await first.append("long", many(1));
    await first.append("long", many(1));
    // Another process leaves the copy alone while the first one runs.
    const second = await open(file);
    expect((await second.list()).sessions.map(({ id }) => id)).toEqual(["long"]);
    await first.close();
    await lost;
    await second.close();
    expect(events(file).others).toBeGreaterThan(0);
    const third = await open(file);
    await expect.poll(() => events(file)).toEqual({ ofSessions: EVENTS + 2, others: 0 });
    expect(await third.branch("long", 2, { id: "b" })).toMatchObject({ position: 2 });
  });
});
