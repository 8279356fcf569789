import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../core/session.ts";
import { SessionChanges } from "./session-changes.ts";

const entry = (id: string, parentId: string | null): SessionEntry => ({ id, parentId, type: "custom", timestamp: "" });
const links = (entries: readonly SessionEntry[] = []): string => entries.map((e) => `${e.parentId}>${e.id}`).join(" ");

describe("[B10] the values that tools store for a session", () => {
  const store = (changes: SessionChanges, key: string, value?: unknown): void =>
    changes.apply("s", { type: "state", key, value });

  it("start with the values of the caller, which are ignored once the session has values", () => {
    const changes = new SessionChanges();
    expect(changes.snapshot("s", { state: { a: 1 } })).toEqual({ id: "s" });
    store(changes, "b", 2);
    changes.snapshot("s", { state: { a: 3 } });
    expect(["a", "b", "toString"].map((key) => changes.storedValue("s", key))).toEqual([1, 2, undefined]);
    store(changes, "a");
    changes.snapshot("s", { state: { a: 3 } });
    expect(changes.storedValue("s", "a")).toBeUndefined();
  });

  it("[X1] are bounded: the value that was set longest ago is dropped", () => {
    const changes = new SessionChanges();
    for (let at = 0; at < 25; at += 1) store(changes, `k${at}`, "x".repeat(999_000));
    store(changes, "k6", "again");
    const there = Array.from({ length: 25 }, (_, at) => at).filter(
      (at) => changes.storedValue("s", `k${at}`) !== undefined,
    );
    expect(there).toEqual([...there].sort((a, b) => a - b));
    expect(there.at(0)).toBe(5);
    for (let at = 0; at < 10_001; at += 1) store(changes, `n${at}`, at);
    expect([changes.storedValue("s", "n0"), changes.storedValue("s", "n1")]).toEqual([undefined, 1]);
  });
});

describe("[A8] the entries that tools add to a session", () => {
  const added = (...entries: SessionEntry[]): SessionChanges => {
    const changes = new SessionChanges();
    for (const each of entries) changes.apply("s", { type: "entry", entry: each });
    return changes;
  };

  it("follow the caller's history, also the entries that the caller added later", () => {
    const changes = added(entry("x", "1"), entry("y", "x"));
    const { entries, leafId } =
      changes.snapshot("s", { entries: [entry("1", null), entry("2", "1")], leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>2 2>x x>y", "y"]);
  });

  it("appear once if the caller has them too", () => {
    const known = [entry("1", null), entry("x", "1"), entry("2", "x")];
    const { entries, leafId } = added(entry("x", "1")).snapshot("s", { entries: known, leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>x x>2", "2"]);
  });

  it("are the whole history if the caller sends none", () => {
    const changes = added(entry("x", null), entry("y", "x"));
    expect(changes.snapshot("s", undefined)).toMatchObject({ id: "s", leafId: "y" });
    expect(changes.snapshot("t", undefined)).toBeUndefined();
  });
});
