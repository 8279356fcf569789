import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import type { SessionStore } from "../../core/session-store.ts";
import type { StoreLimits } from "./session-limits.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const DAY = 24 * 60 * 60 * 1000;
const KB = 1024;

async function open(file: string, limits: StoreLimits, project = "/p"): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project, limits });
  onTestFinished(() => store.close());
  return store;
}

async function add(store: SessionStore, id: string, kb: number): Promise<void> {
  await store.create({ id, directory: "/p" });
  await store.append(id, [{ type: "session.idle", text: "x".repeat(kb * KB) }]);
}

/** The result of one statement, by another connection. */
function query(file: string, sql: string): unknown {
  const database = openSqlite(file);
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
}

async function ids(store: SessionStore): Promise<string[]> {
  return (await store.list({ allProjects: true })).sessions.map(({ id }) => id).sort();
}

const MANY = { keepDays: 100_000, maxMb: 1024 };

describe("the limits of a session database", () => {
  it("remove sessions by the size of the database, the oldest first, but none that runs or is claimed", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await open(file, MANY);
    for (const id of ["claimed", "running", "a", "b", "c"]) await add(first, id, 300);
    const claim = await first.claim("claimed", "call");
    await first.append("running", [{ type: "message.user", messageID: "m", content: [] }]);
    await open(file, { keepDays: 90, maxMb: 1 });
    expect(await ids(first)).toEqual(["c", "claimed", "running"]);
    await claim.release();
    await add(first, "d", 300);
    await open(file, { keepDays: 90, maxMb: 1 });
    expect(await ids(first)).toEqual(["c", "d", "running"]);
  });

  it("keep the newest session, even if it alone is too large, and return the space of the others", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await openSqliteStore({ file, project: "/p", limits: MANY });
    await add(first, "old", 5_000);
    await add(first, "new", 2_000);
    await first.close();
    const before = statSync(file).size;
    const second = await open(file, { keepDays: 90, maxMb: 1 });
    expect(await ids(second)).toEqual(["new"]);
    await expect.poll(() => query(file, "PRAGMA freelist_count")).toBeLessThan(1_000);
    await second.close();
    expect(statSync(file).size).toBeLessThan(before - 2_000 * KB);
  });

  it("remove sessions by their age, which each project sets for its own", async () => {
    const file = join(temporary(), "sessions.db");
    const one = await open(file, { keepDays: 30, maxMb: 1024 }, "/one");
    const other = await open(file, { keepDays: 10, maxMb: 1024 }, "/other");
    for (const [id, store, days] of [
      ["one-29", one, 29],
      ["one-31", one, 31],
      ["other-9", other, 9],
      ["other-11", other, 11],
    ] as const) {
      await add(store, id, 1);
      query(file, `UPDATE sessions SET updated = updated - ${days * DAY} WHERE id = '${id}' RETURNING 1`);
    }
    await open(file, { keepDays: 1, maxMb: 1024 }, "/third");
    expect(await ids(one)).toEqual(["one-29", "other-9"]);
  });

  it("end the readers of a session that is removed", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await open(file, MANY);
    await add(first, "old", 1_100);
    await add(first, "new", 1);
    const reader = first.follow("old", 2, new AbortController().signal)[Symbol.asyncIterator]();
    const next = reader.next();
    await open(file, { keepDays: 90, maxMb: 1 });
    await expect(next).rejects.toMatchObject({ code: "session_removed" });
  });
});
