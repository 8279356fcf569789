import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { followed, range, unfinishedOf } from "../../test/support/followed.ts";
import { temporarySqliteStore } from "../../test/support/temporary-sqlite-store.ts";
import type { SessionStore } from "../core/session-store.ts";

/** Two stores of one database, as two processes have them. */
async function openTwo(): Promise<[SessionStore, SessionStore]> {
  const { store, openAnother, dispose } = await temporarySqliteStore();
  onTestFinished(dispose);
  return [store, await (openAnother as () => Promise<SessionStore>)()];
}

/** Resolves after some microtasks. */
async function microtasks(count: number): Promise<void> {
  for (const _ of range(1, count)) await Promise.resolve();
}

describe("the readers of a session", () => {
  it("get all events if the last other reader leaves while they come", async () => {
    const [one, two] = await openTwo();
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
    for (const count of counts)
      one.publish(`session ${count}`, { type: "message.delta", messageID: "m", text: "Hello" });
    const missing: number[] = [];
    for (const [count, reader] of readers.entries()) {
      const complete = reader.until((events) => unfinishedOf(events).texts.get("m") === "Hello").then(() => true);
      if (!(await Promise.race([complete, sleep(2_000)]))) missing.push(count);
      reader.abort();
    }
    expect(missing).toEqual([]);
  });
});
