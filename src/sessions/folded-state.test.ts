import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { LocalSession } from "./local-session.ts";
import { Sessions } from "./sessions.ts";

const entry = (id: string, parentId: string | null): SessionEntry => ({ id, parentId, type: "custom", timestamp: "" });
const links = (entries: readonly SessionEntry[] = []): string => entries.map((e) => `${e.parentId}>${e.id}`).join(" ");
const rule = (tool: string): Rule => ({ tool, action: "allow" });

const sessionAfter = (...events: DurableEvent[]): LocalSession => {
  const session = new LocalSession("s");
  for (const event of events) session.record(event);
  return session;
};

describe("[B10] the values that tools store for a session", () => {
  it("start with the values of the caller, which are ignored once the session has values", () => {
    const session = new LocalSession("s");
    expect(session.snapshot({ state: { a: 1 } })).toEqual({ id: "s" });
    session.setValue("b", 2);
    session.snapshot({ state: { a: 3 } });
    expect(["a", "b", "toString"].map((key) => session.state.value(key))).toEqual([1, 2, undefined]);
    session.setValue("a", undefined);
    session.snapshot({ state: { a: 3 } });
    expect(session.state.value("a")).toBeUndefined();
  });

  it("[X1] are bounded: the value that was set longest ago is dropped", () => {
    const session = new LocalSession("s");
    for (let at = 0; at < 25; at += 1) session.setValue(`k${at}`, "x".repeat(999_000));
    session.setValue("k6", "again");
    const keys = Array.from({ length: 25 }, (_, at) => at);
    expect(keys.filter((at) => session.state.value(`k${at}`) !== undefined)).toEqual(keys.slice(5));
    for (let at = 0; at < 10_001; at += 1) session.setValue(`n${at}`, at);
    expect([session.state.value("n0"), session.state.value("n1")]).toEqual([undefined, 1]);
  });
});

describe("[A8] the entries that tools add to a session", () => {
  const added = (...entries: SessionEntry[]): LocalSession =>
    sessionAfter(...entries.map((each) => ({ type: "entry.added", entry: each }) as const));

  it("follow the caller's history, also the entries that the caller added later", () => {
    const session = added(entry("x", "1"), entry("y", "x"));
    const { entries, leafId } = session.snapshot({ entries: [entry("1", null), entry("2", "1")], leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>2 2>x x>y", "y"]);
  });

  it("appear once if the caller has them too", () => {
    const known = [entry("1", null), entry("x", "1"), entry("2", "x")];
    const { entries, leafId } = added(entry("x", "1")).snapshot({ entries: known, leafId: "2" }) ?? {};
    expect([links(entries), leafId]).toEqual(["null>1 1>x x>2", "2"]);
  });

  it("are the whole history if the caller sends none", () => {
    expect(added(entry("x", null), entry("y", "x")).snapshot(undefined)).toMatchObject({ id: "s", leafId: "y" });
    expect(added().snapshot(undefined)).toBeUndefined();
  });
});

describe("[P3] the rules that people grant for a session", () => {
  it("[X1] are bounded: the oldest are dropped", () => {
    const session = new LocalSession("s");
    for (let at = 0; at < 1_001; at += 1) session.grant([rule(`t${at}`)]);
    expect(session.state.grants).toHaveLength(1_000);
    expect(session.state.grants[0]).toEqual(rule("t1"));
  });
});

describe("the title and the active tools of a session", () => {
  it("are those that were set last; a value of the wrong type removes them", () => {
    const set = (key: string, value: unknown): DurableEvent => ({ type: "state.set", of: "session", key, value });
    const session = sessionAfter({ type: "session.start", directory: "/", title: "first" }, set("activeTools", ["a"]));
    expect(session.snapshot(undefined)).toEqual({ id: "s", name: "first", activeTools: ["a"] });
    session.record(set("title", "second"));
    session.record(set("activeTools", 5));
    expect(session.snapshot({ name: "caller's" })).toEqual({ id: "s", name: "second" });
  });
});

describe("[X1] sessions in memory", () => {
  it("are bounded: the least recently used session that is not in use is dropped", () => {
    const sessions = new Sessions({
      directory: "/",
      openStore: () => Promise.reject(new Error("No session is recorded.")),
      closesStore: true,
      answered: () => {},
      warn: () => {},
    });
    sessions.get("used").waitingCall = {} as never;
    sessions.get("dropped").setValue("key", 1);
    sessions.get("kept").setValue("key", 1);
    for (let at = 0; at < 998; at += 1) sessions.get(`s${at}`);
    expect(sessions.get("kept").state.value("key")).toBe(1);
    expect(sessions.get("used").isInUse).toBe(true);
    expect(sessions.get("dropped").state.value("key")).toBeUndefined();
  });
});
