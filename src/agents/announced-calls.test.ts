import { describe, expect, it } from "vitest";
import { AnnouncedCalls } from "./announced-calls.ts";

const announced = (callID: string, input?: unknown) => ({ callID, messageID: "m", name: "read", input });

describe("AnnouncedCalls", () => {
  it("[G5] gives a call the ids that were announced for the same name and input, each once", async () => {
    const calls = new AnnouncedCalls(10);
    calls.announce(announced("one", { path: "a" }));
    calls.announce(announced("two", { path: "b" }));
    expect(await calls.take({ name: "read", input: { path: "b" } })).toMatchObject({ callID: "two", messageID: "m" });
    expect(await calls.take({ name: "read", input: { path: "a" } })).toMatchObject({ callID: "one" });
    expect(await calls.take({ name: "read", input: { path: "a" } })).toBeUndefined();
  });

  it("[G5] waits for an announcement that comes after the call", async () => {
    const calls = new AnnouncedCalls(60_000);
    const first = calls.take({ name: "read", input: { path: "a" } });
    const second = calls.take({ name: "read", input: { path: "b" } });
    calls.announce({ ...announced("other"), name: "write" });
    calls.announce(announced("two", { path: "b" }));
    calls.announce(announced("one", { path: "a" }));
    expect([(await first)?.callID, (await second)?.callID]).toEqual(["one", "two"]);
    expect(calls.isTaken("one")).toBe(true);
    expect(calls.isTaken("other")).toBe(false);
  });

  it("takes announcements without input in order", async () => {
    const calls = new AnnouncedCalls(10);
    calls.announce(announced("one"));
    calls.announce(announced("two"));
    const ids = [await calls.take({ name: "read", input: 1 }), await calls.take({ name: "read", input: 2 })];
    expect(ids.map((each) => each?.callID)).toEqual(["one", "two"]);
  });

  it("uses an announcement of the same tool with another input only after the wait", async () => {
    const calls = new AnnouncedCalls(10);
    calls.announce(announced("one", { path: "./a" }));
    expect(await calls.take({ name: "read", input: { path: "a" } })).toMatchObject({ callID: "one" });
  });

  it("ignores a repeated announcement of a call that has arrived", async () => {
    const calls = new AnnouncedCalls(10);
    calls.announce(announced("one"));
    await calls.take({ name: "read", input: {} });
    calls.announce(announced("one", {}));
    expect(await calls.take({ name: "read", input: {} })).toBeUndefined();
  });

  it("releases waiting calls at the end of a turn", async () => {
    const calls = new AnnouncedCalls(60_000);
    const waiting = calls.take({ name: "read", input: {} });
    calls.clear();
    expect(await waiting).toBeUndefined();
  });
});
