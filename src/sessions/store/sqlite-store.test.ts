import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { followed, positionsOf } from "../../../test/support/followed.ts";
import { temporary } from "../../../test/support/temporary.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A store that is closed when the test ends. */
async function open(file: string, project = "/project"): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project });
  onTestFinished(() => store.close());
  return store;
}

describe("a session database", () => {
  it("is readable for the user only, also the files that SQLite keeps beside it", async () => {
    const home = join(temporary(), "home");
    const file = join(home, "sessions.db");
    const store = await open(file);
    await store.create({ id: "s", directory: "/" });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    for (const end of ["", "-wal", "-shm"]) expect(statSync(file + end).mode & 0o777).toBe(0o600);
  });

  it("takes an empty file, follows a link, and makes existing files private", async () => {
    const folder = temporary();
    const target = join(folder, "elsewhere.db");
    writeFileSync(target, "");
    chmodSync(target, 0o644);
    const link = join(folder, "home", "sessions.db");
    mkdirSync(join(folder, "home"), { mode: 0o755 });
    symlinkSync(target, link);
    const store = await openSqliteStore({ file: link, project: "/p" });
    await store.create({ id: "s", directory: "/p" });
    await store.close();
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "home")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, "home"))).toEqual(["sessions.db"]);
  });

  it("is created again if a process was killed while it created it", async () => {
    const file = join(temporary(), "sessions.db");
    const database = openSqlite(file);
    // Writes the first page, without tables.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    database.close();
    expect(statSync(file).size).toBeGreaterThan(0);
    const store = await open(file);
    await store.create({ id: "s", directory: "/" });
    expect(await store.get("s")).toMatchObject({ position: 1 });
  });

  it("has the sessions that were stored before it was closed", async () => {
    const file = join(temporary(), "sessions.db");
    const first = await openSqliteStore({ file, project: "/project" });
    await first.create({ id: "s", directory: "/" });
    await first.append("s", [{ type: "session.idle", text: "done" }]);
    await first.close();
    const second = await open(file);
    expect(await second.read("s", 1, 10)).toMatchObject([{ type: "session.idle", text: "done", position: 2 }]);
  });

  it("has separate sessions for each project", async () => {
    const file = join(temporary(), "sessions.db");
    const [one, other] = [await open(file, "/one"), await open(file, "/other")];
    await one.create({ id: "s", directory: "/one" });
    await other.create({ id: "s", directory: "/other" });
    expect((await one.list()).sessions.map(({ directory }) => directory)).toEqual(["/one"]);
    expect((await one.list({ allProjects: true })).sessions).toHaveLength(2);
  });

  it.each([
    ["nothing", ""],
    ["a header", "PRAGMA auto_vacuum = INCREMENTAL"],
  ])("is created if a process that was killed has left %s", async (_, sql) => {
    const file = join(temporary(), "sessions.db");
    const left = new DatabaseSync(file);
    left.exec(sql);
    left.close();
    const store = await open(file);
    expect(await store.create({ id: "s", directory: "/" })).toMatchObject({ position: 1 });
  });

  it("reads large events in pages that are shorter than their limit", async () => {
    const store = await open(join(temporary(), "sessions.db"));
    await store.create({ id: "s", directory: "/" });
    await store.append(
      "s",
      [1, 2, 3].map((n) => ({ type: "session.idle", text: String(n).repeat(800_000) })),
    );
    expect(positionsOf(await store.read("s", 1, 10))).toEqual([2, 3]);
    expect(positionsOf(await store.read("s", 3, 10, ["session.idle"]))).toEqual([4]);
    const reader = followed(store, "s", 0);
    await reader.reaches(4);
    expect(reader.positions).toEqual([1, 2, 3, 4]);
    expect(await store.branch("s", 4)).toMatchObject({ position: 4 });
  });
});
