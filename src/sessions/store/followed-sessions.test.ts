import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { followed, range, unfinishedOf } from "../../../test/support/followed.ts";
import { temporary } from "../../../test/support/temporary.ts";
import type { LiveEvent, StoredEvent } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { followFeed } from "./feed-reader.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { openDatabase } from "./open-database.ts";
import type { SessionRow } from "./session-tables.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { StoreParts } from "./store-parts.ts";

const HELLO: LiveEvent = { type: "message.delta", messageID: "m", text: "Hello" };

async function open(file: string, project = "/p"): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project });
  onTestFinished(() => store.close());
  return store;
}

/** Runs statements on a connection of their own. */
function change(file: string, sql: string): void {
  const database = openSqlite(file);
  database.exec(sql);
  database.close();
}

/** Resolves after some microtasks. */
async function microtasks(count: number): Promise<void> {
  for (const _ of range(1, count)) await Promise.resolve();
}

describe("the readers of a session", () => {
  it("get all events if the last other reader leaves while they come", async () => {
    const file = join(temporary(), "sessions.db");
    const [one, two] = [await open(file), await open(file)];
    const counts = range(0, 20);
    const readers = await Promise.all(
      counts.map(async (count) => {
        const id = `session ${count}`;
        await one.create({ id, directory: "/p" });
        const leaving = followed(two, id, 0);
        await leaving.reaches(1);
        const coming = followed(two, id, 0);
        await microtasks(count);
        leaving.abort();
        await coming.reaches(1);
        return coming;
      }),
    );
    for (const count of counts) one.publish(`session ${count}`, HELLO);
    const missing: number[] = [];
    for (const [count, reader] of readers.entries()) {
      const complete = reader.until((events) => unfinishedOf(events).texts.get("m") === "Hello").then(() => true);
      if (!(await Promise.race([complete, sleep(10_000)]))) missing.push(count);
      reader.abort();
    }
    expect(missing).toEqual([]);
  });

  it("go on when a session of another project with the same id is interrupted", async () => {
    const file = join(temporary(), "sessions.db");
    const [store, other] = [await open(file), await open(file, "/other")];
    await store.create({ id: "s", directory: "/p" });
    await other.create({ id: "s", directory: "/other" });
    await other.append("s", [{ type: "message.user", messageID: "u", content: [] }]);
    const reader = followed(store, "s", 0);
    await reader.reaches(1);
    change(
      file,
      `INSERT INTO processes (key, pid, machine, renewed) SELECT 99, ${spawnSync("true").pid}, machine, 0 FROM processes LIMIT 1;
       INSERT INTO claims (session, process, why) SELECT key, 99, 'turn' FROM sessions WHERE position = 2`,
    );
    const claim = await store.claim("s", "call");
    await vi.waitFor(async () => expect(await other.get("s")).toMatchObject({ status: "interrupted" }), 10_000);
    await store.append("s", [{ type: "session.idle" }]);
    await reader.reaches(2);
    await claim.release();
    reader.abort();
  });

  it("get what is streamed if another change in the same transaction fails", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await open(file);
    await store.create({ id: "s", directory: "/p" });
    const reader = followed(store, "s", 0);
    await reader.reaches(1);
    const opened = await openDatabase(file);
    onTestFinished(() => opened.database.close());
    const parts = new StoreParts(opened);
    parts.live.add((parts.tables.find(1, "s") as SessionRow).key, HELLO);
    const written = parts.writeLive();
    const failed = parts.queue.run({
      apply: () => {
        throw new SyntaxError("damaged");
      },
    });
    await expect(failed).rejects.toMatchObject({ code: "store_corrupt" });
    await written;
    await reader.until((events) => unfinishedOf(events).texts.get("m") === "Hello");
    await parts.writeLive();
    await sleep(100);
    expect(unfinishedOf(reader.events).texts.get("m")).toBe("Hello");
    reader.abort();
  });

  it("get no text after the end of its turn, which another process ends while they catch up", async () => {
    const file = join(temporary(), "sessions.db");
    const writer = await open(file);
    await writer.create({ id: "s", directory: "/p" });
    const opened = await openDatabase(file);
    onTestFinished(() => opened.database.close());
    const { tables, live } = new StoreParts(opened);
    const row = tables.find(1, "s") as SessionRow;
    let gate = Promise.resolve();
    let afterRead: (() => Promise<void>) | undefined;
    const read = async <T>(work: () => T): Promise<T> => {
      await gate;
      const found = work();
      const wait = afterRead;
      afterRead = undefined;
      await wait?.();
      return found;
    };
    const events = ({ key }: SessionRow, after: number, limit: number): Promise<StoredEvent[]> =>
      read(() => tables.events(key, after, limit));
    const sessions = new FollowedSessions({ ...opened, live, read, events });
    const follow: SessionStore["follow"] = (_, after, signal) =>
      followFeed((enter) => sessions.enter(row, enter), after, signal);
    const reader = followed({ ...writer, follow }, "s", 0);
    await reader.reaches(1);
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    await writer.append("s", [{ type: "message.user", messageID: "u", content: [] }]);
    writer.publish("s", HELLO);
    await expect.poll(() => live.news(row.key, 0)?.rows).toHaveLength(1);
    const ended = Promise.withResolvers<void>();
    afterRead = async () => {
      await writer.append("s", [{ type: "session.idle" }]);
      await reader.reaches(3);
      ended.resolve();
    };
    held.resolve();
    await ended.promise;
    await sleep(100);
    expect(unfinishedOf(reader.events).texts).toEqual(new Map());
    reader.abort();
  });
});
