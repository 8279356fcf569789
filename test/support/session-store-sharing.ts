import { afterEach, describe, expect, it } from "vitest";
import type { NewEvent, SessionStore } from "../../src/core/session-store.ts";
import { followed, range, unfinishedOf } from "./followed.ts";
import type { OpenedStore, OpenStore } from "./opened-store.ts";
import { describeSharedInterleavings } from "./session-store-model.ts";

const USAGE: NewEvent = { type: "usage" };
const CALL = { callID: "c1", tool: "hello", messageID: "m1", agent: "a" };

/** The contract of stores on the same data, as two processes have them. Here both are in one process. */
export function describeSharedStore(name: string, open: OpenStore, { runs = 5 }: { runs?: number } = {}): void {
  const opened: OpenedStore[] = [];
  /** Two stores on the same data, of which the first has the session "s", and a way to open more. */
  const start = async (): Promise<[SessionStore, SessionStore, (project?: string) => Promise<SessionStore>]> => {
    const result = await open();
    opened.push(result);
    const { store, openAnother } = result;
    if (!openAnother) throw new Error("This store cannot be opened twice.");
    await store.create({ id: "s", directory: "/p" });
    return [store, await openAnother(), openAnother];
  };
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.dispose();
  });

  describe(`${name}: two stores on the same data`, () => {
    it("have the same sessions, and one order of events", async () => {
      const [one, two] = await start();
      await expect(two.create({ id: "s", directory: "/p" })).rejects.toMatchObject({ code: "session_exists" });
      await Promise.all(range(1, 30).map((index) => (index % 2 ? one : two).append("s", [USAGE, USAGE])));
      expect(await two.get("s")).toEqual(await one.get("s"));
      const events = await one.read("s", 0, 100);
      expect(events.map(({ position }) => position)).toEqual(range(1, 61));
      expect(await two.read("s", 0, 100)).toEqual(events);
      expect((await two.list()).sessions).toEqual((await one.list()).sessions);
    });

    it("let one of two appends to the same position win", async () => {
      const [one, two] = await start();
      const outcomes = await Promise.allSettled(
        range(1, 10).map((index) => (index % 2 ? one : two).append("s", [USAGE], { expected: 1 })),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "conflict" });
      expect(await two.get("s")).toMatchObject({ position: 2 });
    });

    it("follow each other without a gap or a double", async () => {
      const [one, two] = await start();
      const readers = [followed(one, "s", 0), followed(two, "s", 0), followed(two, "s", 1)];
      for (const index of range(1, 40)) {
        const append = (index % 3 ? one : two).append("s", [USAGE, USAGE]);
        if (index % 4 === 0) await append;
        if (index === 20) readers.push(followed(two, "s", 5));
      }
      for (const reader of readers) await reader.reaches(81);
      expect(readers.map(({ positions }) => positions[0])).toEqual([1, 1, 2, 6]);
      for (const { positions } of readers) expect(positions).toEqual(range(positions[0] as number, 81));
      for (const reader of readers) reader.abort();
    });

    it("pass on what is streamed, also to a reader that joins late, and nothing of it after the end", async () => {
      const [one, two] = await start();
      const early = followed(two, "s", 1);
      for (const text of ["Hel", "lo ", "wor"]) one.publish("s", { type: "message.delta", messageID: "m", text });
      one.publish("s", { type: "tool.update", ...CALL, title: "half" });
      const has = (text: string, title: string) => (events: Parameters<typeof unfinishedOf>[0]) =>
        unfinishedOf(events).texts.get("m") === text && unfinishedOf(events).titles.get("c1") === title;
      await early.until(has("Hello wor", "half"));
      const late = followed(two, "s", 0);
      await late.until(has("Hello wor", "half"));
      one.publish("s", { type: "message.delta", messageID: "m", text: "ld" });
      one.publish("s", { type: "tool.update", ...CALL, title: "most" });
      for (const reader of [early, late]) await reader.until(has("Hello world", "most"));
      const result = { ok: true, output: "", content: [], notes: { durationMs: 1 } } as const;
      await one.append("s", [
        { type: "message.complete", messageID: "m", content: [] },
        { type: "tool.complete", ...CALL, result },
      ]);
      for (const reader of [early, late]) await reader.reaches(3);
      const after = followed(two, "s", 1);
      await after.reaches(3);
      await one.append("s", [USAGE]);
      await after.reaches(4);
      expect(after.events.map(({ type }) => type)).toEqual(["message.complete", "tool.complete", "usage"]);
      for (const reader of [early, late, after]) reader.abort();
    });

    it("notice that the other removed a session, also if it is created again", async () => {
      const [one, two] = await start();
      await one.append("s", [USAGE, USAGE]);
      const reader = followed(two, "s", 0);
      await reader.reaches(3);
      await one.remove("s");
      await one.create({ id: "s", directory: "/new" });
      await one.append("s", [USAGE, USAGE, USAGE]);
      await expect(reader.ended).rejects.toMatchObject({ code: "session_removed" });
      expect(reader.positions).toEqual([1, 2, 3]);
      const again = followed(two, "s", 0);
      await again.reaches(4);
      expect(again.events[0]).toMatchObject({ directory: "/new" });
      again.abort();
    });

    it("refuse a turn and a removal while the other has the turn", async () => {
      const [one, two] = await start();
      const claim = await one.claim("s", "turn");
      await expect(two.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
      const call = await two.claim("s", "call");
      await call.release();
      await claim.release();
      const next = await two.claim("s", "turn");
      await next.release();
      await one.remove("s");
    });

    it("keep sessions of projects apart, and list all of them on request", async () => {
      const [one, , openAnother] = await start();
      const other = await openAnother("/other");
      expect(await other.get("s")).toBeUndefined();
      await other.create({ id: "s", directory: "/other", title: "Other" });
      await other.append("s", [USAGE, USAGE]);
      expect(await one.get("s")).toMatchObject({ project: "/p", position: 1 });
      expect((await one.list()).sessions).toMatchObject([{ project: "/p" }]);
      const projects: string[] = [];
      let page = await one.list({ allProjects: true, limit: 1 });
      for (;;) {
        projects.push(...page.sessions.map(({ project }) => project));
        if (page.next === undefined) break;
        page = await one.list({ allProjects: true, limit: 1, cursor: page.next });
      }
      expect(projects.sort()).toEqual(["/other", "/p"]);
      await other.remove("s");
      expect(await one.get("s")).toMatchObject({ position: 1 });
    });

    it("keep the events when one is closed", async () => {
      const [one, two, openAnother] = await start();
      const append = one.append("s", [USAGE]);
      const reader = followed(two, "s", 0);
      await one.close();
      await append;
      await reader.reaches(2);
      expect(await two.append("s", [USAGE])).toBe(3);
      await two.close();
      await reader.ended;
      const third = await openAnother();
      expect(await third.get("s")).toMatchObject({ position: 3, status: "idle" });
      expect(await third.read("s", 0, 10)).toHaveLength(3);
    });
  });

  describeSharedInterleavings(name, open, runs);
}
