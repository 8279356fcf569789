import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import type { NewEvent, SessionStore } from "../../core/session-store.ts";
import { exportSession, pagesOf } from "../transcript/export-session.ts";
import { createMemoryStore } from "./memory-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const EVENTS = 60_000;
const many = (count: number): NewEvent[] => Array.from({ length: count }, () => ({ type: "usage" }));

/** Works that read a whole log. */
const WORKS: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  "reading pages": async (store) => {
    for await (const _ of pagesOf(store, "s", { after: 0, last: EVENTS }));
  },
  "looking for a type of events": async (store) => {
    for (let n = 0; n < 20; n += 1) await store.read("s", 0, 10, ["question.asked"]);
  },
  "following from the beginning": async (store) => {
    for await (const event of store.follow("s", 0, new AbortController().signal))
      if ("position" in event && event.position === EVENTS) return;
  },
  "an export as JSON lines": async (store) => {
    const info = await store.get("s");
    if (info) for await (const _ of exportSession(store, info, "jsonl"));
  },
  "an export as Markdown": async (store) => {
    const info = await store.get("s");
    if (info) for await (const _ of exportSession(store, info, "markdown"));
  },
};

describe.each<[string, () => Promise<SessionStore>]>([
  ["on disk", () => openSqliteStore({ file: join(temporary(), "sessions.db"), project: "/p" })],
  ["in memory", async () => createMemoryStore({ project: "/p" })],
])("[X1] a long session %s", (_, open) => {
  it("lets the event loop run many times while it is read", async () => {
    const store = await open();
    onTestFinished(() => store.close());
    await store.create({ id: "s", directory: "/p" });
    await store.append("s", many(EVENTS - 1));
    for (const [name, work] of Object.entries(WORKS)) {
      let [turns, isOver] = [0, false];
      const done = work(store).then(() => {
        isOver = true;
      });
      for (; !isOver; turns += 1) await nextTurn();
      await done;
      expect([name, turns]).toEqual([name, expect.toSatisfy((count: number) => count >= 5)]);
    }
  });
});
