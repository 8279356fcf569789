import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../core/session.ts";
import { SessionStates } from "./session-states.ts";

const entry = (id: string, parentId: string | null): SessionEntry => ({ id, parentId, type: "custom", timestamp: "" });
const links = (entries: readonly SessionEntry[] = []): string => entries.map((e) => `${e.parentId}>${e.id}`).join(" ");

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
