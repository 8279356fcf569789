import { describe, expect, it } from "vitest";
import type { DurableEvent, SessionInfo, StoredEvent } from "../../core/session-log.ts";
import { branchInfo, firstInfo, infoAfter, interruptionOf } from "./session-info.ts";

const CALL = { tool: "hello", messageID: "m1", agent: "default" };
const RESULT = { output: "", content: [], notes: { durationMs: 1 } };
const user = (text: string): DurableEvent => ({
  type: "message.user",
  messageID: "m1",
  content: [{ type: "text", text }],
});
const start = (callID: string): DurableEvent => ({ type: "tool.start", input: {}, ...CALL, callID });
const complete = (callID: string): DurableEvent => ({
  type: "tool.complete",
  result: { ok: true, ...RESULT },
  ...CALL,
  callID,
});
const failed = (callID: string): DurableEvent => ({
  type: "tool.failed",
  result: { ok: false, error: { code: "failed", message: "no" }, ...RESULT },
  ...CALL,
  callID,
});
const asked = (questionID: string): DurableEvent =>
  ({
    ...{ type: "question.asked", questionID, callID: "c1", tool: "hello", agent: "default", reason: "May it?" },
    ...{ kind: "dialog", method: "confirm" },
  }) as DurableEvent;
const answered = (questionID: string): DurableEvent => ({ type: "question.answered", questionID, allowed: true });
const IDLE: DurableEvent = { type: "session.idle" };
const ERROR: DurableEvent = { type: "session.error", message: "no" };
const interrupted = (calls: string[] = [], questions: string[] = []): DurableEvent => ({
  type: "session.interrupted",
  reason: "gone",
  calls,
  questions,
});
const title = (value?: unknown): DurableEvent => ({
  type: "state.set",
  of: "session",
  key: "title",
  ...(value === undefined ? {} : { value }),
});

describe("infoAfter", () => {
  it("begins with the data of the header", () => {
    const parent = { sessionID: "p", callID: "c" };
    expect(infoOf([], { title: "T", agent: "a", model: "m", parent })).toEqual({
      id: "s",
      project: "/p",
      directory: "/p/d",
      title: "T",
      defaultTitle: "T",
      agent: "a",
      model: "m",
      parent,
      status: "idle",
      turn: "idle",
      createdAt: 1_001,
      updatedAt: 1_001,
      position: 1,
      openCalls: [],
      openQuestions: [],
    });
    expect(Object.keys(infoOf([]))).not.toContain("title");
  });

  it.each<[string, DurableEvent[], SessionInfo["status"], string[], string[]]>([
    ["a message", [user("hi")], "running", [], []],
    ["a turn that ended", [user("hi"), IDLE], "idle", [], []],
    ["a turn that failed", [user("hi"), ERROR], "error", [], []],
    ["a second turn", [user("hi"), ERROR, user("again")], "running", [], []],
    ["a call without a turn", [start("c1")], "running", ["c1"], []],
    ["a call that ended", [start("c1"), complete("c1")], "idle", [], []],
    ["a call that failed", [start("c1"), failed("c1")], "idle", [], []],
    ["one of two calls that ended", [start("c1"), start("c2"), complete("c1")], "running", ["c2"], []],
    ["a call that is started twice", [start("c1"), start("c1"), complete("c1")], "idle", [], []],
    ["a call in a turn that ended", [user("hi"), start("c1"), complete("c1")], "running", [], []],
    ["a call that outlives its turn", [user("hi"), start("c1"), IDLE], "running", ["c1"], []],
    ["a call that ends after a failed turn", [user("hi"), start("c1"), ERROR, complete("c1")], "error", [], []],
    ["a question", [start("c1"), asked("q1")], "waiting", ["c1"], ["q1"]],
    ["an answered question", [start("c1"), asked("q1"), answered("q1")], "running", ["c1"], []],
    ["one of two answered questions", [asked("q1"), asked("q2"), answered("q1")], "waiting", [], ["q2"]],
    ["an answered question in a turn", [user("hi"), asked("q1"), answered("q1")], "running", [], []],
    ["a question after the turn", [user("hi"), asked("q1"), IDLE], "waiting", [], ["q1"]],
    ["an unknown answer", [answered("q9")], "idle", [], []],
    ["an interruption", [user("hi"), start("c1"), asked("q1"), interrupted(["c1"], ["q1"])], "interrupted", [], []],
    ["an end after the interruption", [start("c1"), interrupted(["c1"]), complete("c1")], "interrupted", [], []],
    ["a call after an interruption", [start("c1"), interrupted(["c1"]), start("c2"), complete("c2")], "idle", [], []],
    ["a turn after an interruption", [user("hi"), interrupted(), user("hi")], "running", [], []],
    ["other events", [{ type: "usage" }, { type: "cancel.requested" }], "idle", [], []],
  ])("has a status and open ids after %s", (_title, events, status, openCalls, openQuestions) => {
    expect(infoOf(events)).toMatchObject({ status, openCalls, openQuestions, position: events.length + 1 });
  });

  it.each<[string, DurableEvent[], string | undefined, string | undefined]>([
    ["no title", [], undefined, undefined],
    ["the header's", [user("hi")], "Header", "Header"],
    [
      "the first line of the first message",
      [user("\n  Fix the bug \r\nplease"), user("second")],
      undefined,
      "Fix the bug",
    ],
    ["no line of an empty message", [user(" \n"), user("second")], undefined, "second"],
    ["80 characters", [user("x".repeat(100))], undefined, "x".repeat(80)],
    ["no half characters", [user(`${"x".repeat(79)}😀y`)], undefined, "x".repeat(79)],
    ["the one that was set", [user("hi"), title("Set")], "Header", "Set"],
    ["the one that was set before the first message", [title("Set"), user("hi")], undefined, "Set"],
    ["the header's, after the set one was deleted", [title("Set"), title()], "Header", "Header"],
    ["the first line, after the set one was deleted", [title("Set"), user("hi"), title()], undefined, "hi"],
    ["none, after the set one was deleted", [title("Set"), title("")], undefined, undefined],
    ["1,000 characters of the one that was set", [title("x".repeat(5_000))], "Header", "x".repeat(1_000)],
    ["1,000 characters of the header's", [], `${"x".repeat(999)}😀y`, "x".repeat(999)],
    ["no value that is not text", [title({ a: 1 })], undefined, undefined],
    ["no value of a tool", [{ type: "state.set", of: "tools", key: "title", value: "x" }], undefined, undefined],
  ])("has as its title: %s", (_title, events, header, expected) => {
    const info = infoOf(events, header === undefined ? {} : { title: header });
    expect(info.title).toBe(expected);
    expect("title" in info).toBe(expected !== undefined);
  });

  it("reads only position and time of events of a later version or an unknown type", () => {
    const later = { ...stored(user("hi"), 2), v: 2 };
    const unknown = { ...stored({ type: "session.renamed" } as unknown as DurableEvent, 3) };
    const before = infoOf([]);
    const after = [later, unknown].reduce(infoAfter, before);
    expect(after).toEqual({ ...before, position: 3, updatedAt: 1_003 });
  });

  it("never sets the time of the last change back", () => {
    expect(infoAfter(infoOf([]), { ...stored(IDLE, 2), at: 5 })).toMatchObject({ position: 2, updatedAt: 1_001 });
  });

  it("does not change the info that it gets", () => {
    const info = infoOf([start("c1"), asked("q1")]);
    const before = structuredClone(info);
    [complete("c1"), answered("q1"), start("c2"), title("x")].forEach(
      (event) => void infoAfter(info, stored(event, 4)),
    );
    expect(info).toEqual(before);
  });
});

describe("branchInfo and interruptionOf", () => {
  it("name the source, and what is open", () => {
    const info = infoOf([user("hi"), start("c1"), asked("q1")]);
    const branch = branchInfo(info, { id: "b", at: 5_000 });
    expect(branch).toEqual({
      ...info,
      id: "b",
      branchOf: { sessionID: "s", position: 4 },
      createdAt: 5_000,
      updatedAt: 5_000,
    });
    expect(interruptionOf(branch, "branched")).toEqual({
      type: "session.interrupted",
      reason: "branched",
      calls: ["c1"],
      questions: ["q1"],
    });
    expect(interruptionOf(infoOf([user("hi")]), "x")).toMatchObject({ calls: [], questions: [] });
    for (const events of [[], [user("hi"), IDLE], [user("hi"), ERROR], [interrupted()]])
      expect(interruptionOf(infoOf(events), "x")).toBeUndefined();
  });
});

function infoOf(events: readonly DurableEvent[], header = {}): SessionInfo {
  const first = stored({ type: "session.start", directory: "/p/d", ...header }, 1);
  const info = firstInfo({ id: "s", project: "/p" }, first as StoredEvent & { type: "session.start" });
  return events.map((event, index) => stored(event, index + 2)).reduce(infoAfter, info);
}

function stored(event: DurableEvent, position: number): StoredEvent {
  return { ...event, position, at: 1_000 + position, v: 1 };
}
