import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../core/session.ts";
import { SessionStates } from "./session-states.ts";

const entry = (id: string, parentId: string | null): SessionEntry => ({ id, parentId, type: "custom", timestamp: "" });
const links = (entries: readonly SessionEntry[] = []): string => entries.map((e) => `${e.parentId}>${e.id}`).join(" ");

describe("[B10] what tools keep for a session", () => {
  const keep = (states: SessionStates, key: string, value?: unknown): void =>
    states.apply("s", { type: "state", key, value });

  it("counts over what the caller brings along, which counts until then", () => {
    const states = new SessionStates();
    expect(states.snapshot("s", { state: { a: 1 } })).toEqual({ id: "s" });
    keep(states, "b", 2);
    states.snapshot("s", { state: { a: 3 } });
    expect(["a", "b", "toString"].map((key) => states.kept("s", key))).toEqual([1, 2, undefined]);
    keep(states, "a");
    states.snapshot("s", { state: { a: 3 } });
    expect(states.kept("s", "a")).toBeUndefined();
  });

  it("[X1] is bounded: what was set longest ago is forgotten", () => {
    const states = new SessionStates();
    for (let at = 0; at < 25; at += 1) keep(states, `k${at}`, "x".repeat(999_000));
    keep(states, "k6", "again");
    const there = Array.from({ length: 25 }, (_, at) => at).filter((at) => states.kept("s", `k${at}`) !== undefined);
    expect(there).toEqual([...there].sort((a, b) => a - b));
    expect(there.at(0)).toBe(5);
    for (let at = 0; at < 10_001; at += 1) keep(states, `n${at}`, at);
    expect([states.kept("s", "n0"), states.kept("s", "n1")]).toEqual([undefined, 1]);
  });
});

describe("[A8] what tools have added to a session", () => {
  const added = (...entries: SessionEntry[]): SessionStates => {
    const states = new SessionStates();
    for (const each of entries) states.apply("s", { type: "entry", entry: each });
    return states;
  };

  it("comes after the caller's history, however far that has gone on since", () => {
    const states = added(entry("x", "1"), entry("y", "x"));
    const { entries, leafId } =
      states.snapshot("s", { entries: [entry("1", null), entry("2", "1")], leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>2 2>x x>y", "y"]);
  });

  it("is there once where the caller has kept it too", () => {
    const kept = [entry("1", null), entry("x", "1"), entry("2", "x")];
    const { entries, leafId } = added(entry("x", "1")).snapshot("s", { entries: kept, leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>x x>2", "2"]);
  });

  it("is all there is where the caller says nothing", () => {
    const states = added(entry("x", null), entry("y", "x"));
    expect(states.snapshot("s", undefined)).toMatchObject({ id: "s", leafId: "y" });
    expect(states.snapshot("t", undefined)).toBeUndefined();
  });
});
