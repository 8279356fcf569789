import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import type { NewEvent, SessionStore } from "../../core/session-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const EVENTS = 20_000;
const many = (count: number): NewEvent[] => Array.from({ length: count }, () => ({ type: "usage" }));
const limits = { keepDays: 90, maxMb: 1024 };

async function open(file: string): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project: "/p", limits });
  onTestFinished(() => store.close());
  return store;
}

async function withLongSession(store: SessionStore): Promise<SessionStore> {
  await store.create({ id: "long", directory: "/p" });
  await store.append("long", many(EVENTS - 1));
  return store;
}

/** A number in the database, by another connection. */
function count(file: string, sql: string): number {
  const database = openSqlite(file);
  try {
    return Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  } finally {
    database.close();
  }
}

const eventsIn = (file: string): number => count(file, "SELECT count(*) FROM events");

describe("[S2] the events of a removed session", () => {
  it.each<[string, () => Promise<SessionStore>]>([
    ["on disk", () => open(join(temporary(), "sessions.db"))],
    ["in memory", async () => createMemoryStore({ project: "/p" })],
  ])("are deleted %s while other sessions go on, and another one has its id", async (_, openStore) => {
    const store = await withLongSession(await openStore());
    await store.create({ id: "other", directory: "/p" });
    let isRemoved = false;
    const removed = store.remove("long").then(() => {
      isRemoved = true;
    });
    await store.append("other", many(1));
    expect([isRemoved, await store.get("long")]).toEqual([false, undefined]);
    await store.create({ id: "long", directory: "/p" });
    await store.append("long", many(1));
    await removed;
    expect(await store.read("long", 0, 10)).toHaveLength(2);
    await store.close();
  });

  it("are deleted by the next process, if the first one ended before that", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await withLongSession(await open(file));
    const removed = first.remove("long");
    await first.close();
    await removed;
    expect(eventsIn(file)).toBeGreaterThan(0);
    const second = await open(file);
    expect((await second.list()).sessions).toEqual([]);
    await expect.poll(() => eventsIn(file)).toBe(0);
    await expect.poll(() => count(file, "SELECT count(*) FROM loose")).toBe(0);
  });

  it("are never read by another process without those before them", async () => {
    const file = join(temporary(), "sessions.db");
    const [first, second] = [await withLongSession(await open(file)), await open(file)];
    let position = 0;
    const follow = async (): Promise<void> => {
      for await (const event of second.follow("long", 0, new AbortController().signal)) {
        if (!("position" in event)) continue;
        expect(event.position).toBe(position + 1);
        position = event.position;
        if (position % 100 === 0) await new Promise(setImmediate);
      }
    };
    const following = expect(follow()).rejects.toMatchObject({ code: "session_removed" });
    while (position < 300) await new Promise(setImmediate);
    await first.remove("long");
    await following;
  });
});
