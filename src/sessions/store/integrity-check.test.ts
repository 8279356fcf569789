import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A database that is not small, and is to be checked when it is opened. */
async function largeDatabase(): Promise<string> {
  const file = join(temporary(), "sessions.db");
  const store = await openSqliteStore({ file, project: "/p" });
  await store.create({ id: "s", directory: "/p" });
  const text = "x".repeat(500);
  await store.append(
    "s",
    Array.from({ length: 20_000 }, () => ({ type: "session.idle", text }) as const),
  );
  await store.close();
  const database = openSqlite(file);
  database.exec("UPDATE times SET at = 1 WHERE name = 'checked'");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return file;
}

describe("[S3] the check of a large session database", () => {
  it("lets the event loop run", async () => {
    const file = await largeDatabase();
    let [turns, isOpen] = [0, false];
    const opening = openSqliteStore({ file, project: "/p" }).finally(() => {
      isOpen = true;
    });
    for (; !isOpen; turns += 1) await nextTurn();
    const store = await opening;
    expect(turns).toBeGreaterThan(10);
    expect(await store.get("s")).toMatchObject({ position: 20_001 });
    await store.close();
    const database = openSqlite(file);
    expect(Number(database.prepare("SELECT at FROM times WHERE name = 'checked'").get()?.at)).toBeGreaterThan(1);
    database.close();
  });

  it("finds a damaged page, and changes nothing", async () => {
    const file = await largeDatabase();
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(4_096, 1), 0, 4_096, 4_096 * 300);
    closeSync(descriptor);
    const before = readFileSync(file);
    const error = await openSqliteStore({ file, project: "/p" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "store_corrupt" });
    expect(String(error)).toMatch(/ is damaged \(.+ page .+\)\. A copy is kept in /);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
