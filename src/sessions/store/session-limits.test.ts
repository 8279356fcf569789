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
    await add(one, "one-0", 1);
    await open(file, { keepDays: 1, maxMb: 1024 }, "/third");
    expect(await ids(one)).toEqual(["one-0", "one-29", "other-9"]);
  });

  it("end the readers of a session that is removed", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await open(file, MANY);
    await add(first, "old", 1_100);
    await add(first, "new", 1);
    const reader = first.follow("old", 2, new AbortController().signal)[Symbol.asyncIterator]();
    const ended = expect(reader.next()).rejects.toMatchObject({ code: "session_removed" });
    await open(file, { keepDays: 90, maxMb: 1 });
    await ended;
  });
});

/** The size of a database in megabytes. The journal beside it is as large as its largest transaction. */
function sizeOf(file: string, files: readonly string[] = [""]): number {
  const sizes = files.map((end) => statSync(file + end, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) / (1024 * KB);
}

describe("[S3] sessions.maxMb, while sessions grow", () => {
  const LIMITS = { keepDays: 90, maxMb: 5 };

  it("removes the oldest sessions at once, and holds the limit within 20 % at any time", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await open(file, LIMITS);
    const sizes: number[] = [];
    for (let session = 0; session < 40; session += 1) {
      await store.create({ id: `s${session}`, directory: "/p" });
      for (let event = 0; event < 8; event += 1) {
        await store.append(`s${session}`, [{ type: "session.idle", text: "x".repeat(60 * KB) }]);
        sizes.push(sizeOf(file, ["", "-wal"]));
      }
    }
    expect(Math.max(...sizes)).toBeLessThan(6);
    expect(Math.min(...sizes.slice(-50))).toBeGreaterThan(4);
    expect(await ids(store)).toContain("s39");
    expect(await ids(store)).not.toContain("s0");
  });

  it("holds the limit for events that come at once, in two processes, and keeps their order", async () => {
    const file = join(temporary(), "sessions.db");
    const stores = [await open(file, LIMITS, "/one"), await open(file, LIMITS, "/other")];
    for (const store of stores) for (let n = 0; n < 10; n += 1) await add(store, `old${n}`, 200);
    const text = (event: number): string => `${event} ${"x".repeat(10 * KB)}`;
    const sizes: number[] = [];
    const watching = setInterval(() => sizes.push(sizeOf(file)), 1);
    onTestFinished(() => clearInterval(watching));
    await Promise.all(
      stores.map(async (store) => {
        await store.create({ id: "new", directory: "/p" });
        const appended = Array.from({ length: 80 }, (_, event) =>
          store.append("new", [{ type: "session.idle", text: text(event) }]),
        );
        await Promise.all(appended);
      }),
    );
    expect(Math.max(...sizes)).toBeLessThan(6);
    for (const store of stores) {
      const numbers: number[] = [];
      while (numbers.length < 80)
        for (const event of await store.read("new", numbers.length + 1, 100))
          numbers.push(event.type === "session.idle" ? Number.parseInt(event.text ?? "", 10) : Number.NaN);
      expect(numbers).toEqual(Array.from({ length: 80 }, (_, event) => event));
    }
  });

  it("refuses events if all that is left is in use, until sessions are removed, and removes none of those", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await open(file, LIMITS);
    await add(store, "claimed", 2_000);
    const claim = await store.claim("claimed", "call");
    await add(store, "running", 1_000);
    await store.append("running", [{ type: "message.user", messageID: "m", content: [] }]);
    await store.create({ id: "growing", directory: "/p" });
    const grow = async (): Promise<void> => {
      for (let event = 0; event < 100; event += 1)
        await store.append("growing", [{ type: "session.idle", text: "x".repeat(50 * KB) }]);
    };
    await expect(grow()).rejects.toMatchObject({
      code: "store_full",
      message:
        "The stored sessions have reached their limit of 5 MB (the setting sessions.maxMb), and all others are in use. Nothing was stored. Remove sessions, or set a larger limit. Tools without a session still work.",
    });
    expect(sizeOf(file)).toBeLessThan(6);
    expect(await ids(store)).toEqual(["claimed", "growing", "running"]);
    await store.remove("running");
    await add(store, "more", 10);
    await claim.release();
    await add(store, "most", 900);
    expect(await ids(store)).toEqual(["growing", "more", "most"]);
  });

  it("removes no session to which events wait to be added", async () => {
    const store = await open(join(temporary(), "sessions.db"), LIMITS);
    for (const id of ["a", "b", "c"]) await add(store, id, 1_600);
    await store.append("a", [{ type: "session.idle", text: "x".repeat(1_000 * KB) }]);
    expect(await ids(store)).toEqual(["a", "c"]);
  });

  it("makes room for a branch before it copies the events", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await open(file, LIMITS);
    for (const id of ["a", "b", "c"]) await add(store, id, 1_500);
    await store.branch("c", 2, { id: "branch" });
    expect(sizeOf(file)).toBeLessThan(6);
    expect(await ids(store)).toEqual(["b", "branch", "c"]);
  });
});

describe("[S3] sessions.keepDays, when the clock jumps", () => {
  const YEAR = 365;
  const LIMITS = { keepDays: 90, maxMb: 1024 };

  /** Moves the clock by days, until the end of the test. */
  function moveClock(days: () => number): void {
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    Date.now = () => now() + days() * DAY;
  }

  /** What one command does: it opens the store, adds a session and closes it. */
  async function command(file: string, id: string): Promise<void> {
    const store = await openSqliteStore({ file, project: "/p", limits: LIMITS });
    await add(store, id, 1);
    await store.close();
  }

  it.each<[string, readonly number[], readonly number[]]>([
    ["a year ahead", [0, YEAR, YEAR, YEAR + 0.5], []],
    ["91 days ahead", [0, 91, 91.1, 91.2], []],
    ["a year ahead, and back", [0, YEAR, YEAR, 0, 0.5, 1], []],
    ["a year back", [0, -YEAR, -YEAR, -YEAR + 0.5], []],
    ["a year back, and ahead again", [0, 0.1, -YEAR, -YEAR + 0.1, 0.2, 0.3], []],
    ["back and ahead, often", [0, YEAR, -YEAR, YEAR, 0, YEAR, -YEAR, 0.5], []],
    ["not at all: what is older than that is removed", [0, 30, 60, 89, 95, 100, 125, 130], [0]],
  ])("%s", async (_, days, removed) => {
    const file = join(temporary(), "sessions.db");
    let day = 0;
    moveClock(() => day);
    for (const [index, at] of days.entries()) {
      day = at;
      await command(file, `s${index}`);
    }
    const kept = days.map((_at, index) => `s${index}`).filter((_id, index) => !removed.includes(index));
    expect(await ids(await open(file, LIMITS))).toEqual(kept);
  });

  it("does not end a session later because its last event seems to be in the future", async () => {
    const file = join(temporary(), "sessions.db");
    let day = YEAR;
    moveClock(() => day);
    const first = await open(file, LIMITS);
    await first.append((await first.create({ id: "s", directory: "/p" })).id, [
      { type: "message.user", messageID: "m", content: [] },
    ]);
    await first.close();
    day = 0;
    expect(await (await open(file, LIMITS)).get("s")).toMatchObject({ status: "interrupted" });
  });
});
