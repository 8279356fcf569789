import { describe, expect, it } from "vitest";
import type { ApiSessionEvent } from "../../core/api-sessions.ts";
import type { SessionItem } from "./session-item.ts";
import { SessionView } from "./session-view.ts";

const names = (callID: string, parentID?: string) => ({
  callID,
  tool: `tool-${callID}`,
  messageID: "m",
  agent: "demo",
  ...(parentID === undefined ? {} : { parentID }),
});
const user = (id: number, text: string): ApiSessionEvent => ({
  event: "message",
  id,
  data: { at: id * 100, role: "user", messageID: `u${id}`, content: [{ type: "text", text }] },
});
const reply = (id: number, messageID: string, text: string, thinking?: string): ApiSessionEvent => ({
  event: "message",
  id,
  data: {
    at: id * 100,
    role: "assistant",
    messageID,
    content: [{ type: "text", text }],
    ...(thinking === undefined ? {} : { thinking }),
  },
});
const delta = (messageID: string, text: string): ApiSessionEvent => ({
  event: "message_delta",
  data: { messageID, text },
});
const use = (id: number, callID: string, parentID?: string): ApiSessionEvent => ({
  event: "tool_use",
  id,
  data: { at: id * 100, ...names(callID, parentID), input: { a: 1 } },
});
const result = (id: number, callID: string): ApiSessionEvent => ({
  event: "tool_result",
  id,
  data: { at: id * 100, ...names(callID), result: { ok: true, content: [], notes: { durationMs: 5 } } },
});
const question = (id: number, questionID: string, callID = "c"): ApiSessionEvent => ({
  event: "permission",
  id,
  data: {
    at: id * 100,
    questionID,
    callID,
    tool: "t",
    agent: "demo",
    reason: "Why?",
    kind: "dialog",
    method: "confirm",
  },
});
const completed = (id: number): ApiSessionEvent => ({ event: "completed", id, data: { at: id * 100 } });

function folded(events: readonly ApiSessionEvent[]): SessionView {
  const transcript = new SessionView();
  for (const event of events) transcript.apply(event);
  return transcript;
}

/** The rows, as short lines. */
function rows(events: readonly ApiSessionEvent[] | SessionView): string[] {
  return (events instanceof SessionView ? events : folded(events)).items.map(row);
}

function row(item: SessionItem): string {
  switch (item.kind) {
    case "user":
      return `user ${item.content.map((part) => (part.type === "text" ? part.text : part.type)).join()}`;
    case "reply":
      return `${item.state} ${item.thinking}|${item.text}`;
    case "call":
      return `${">".repeat(item.depth)}call ${item.callID} ${item.state}`;
    case "question":
      return `question ${item.question.questionID} ${item.state}`;
    case "end":
      return `${item.outcome} ${item.message}${item.unknownCalls.join()}`;
  }
}

describe("the transcript of a session", () => {
  it("[U4] joins the deltas of a message; its stored event replaces them, in the same row", () => {
    const transcript = folded([user(2, "Hi"), delta("m", "He"), delta("m", "llo")]);
    expect(rows(transcript)).toEqual(["user Hi", "streaming |Hello"]);
    const key = transcript.items[1]?.key;
    transcript.apply(reply(3, "m", "Hello!", "Hm"));
    expect(rows(transcript)).toEqual(["user Hi", "stored Hm|Hello!"]);
    expect(transcript.items[1]).toMatchObject({ key, position: 3, at: 300 });
    transcript.apply(delta("m", "Next"));
    expect(rows(transcript)).toEqual(["user Hi", "stored Hm|Hello!", "streaming |Next"]);
  });

  it("[U4] an event that arrives twice changes nothing", () => {
    const events = [user(2, "Hi"), use(4, "a"), question(5, "q"), result(7, "a"), reply(8, "m", "Text"), completed(9)];
    const transcript = folded(events);
    const before = rows(transcript);
    expect(events.map((event) => transcript.apply(event))).toEqual(events.map(() => false));
    expect(rows(transcript)).toEqual(before);
    expect(new Set(transcript.items.map(({ key }) => key)).size).toBe(transcript.items.length);
    expect(transcript.position).toBe(9);
  });

  it("[U4] a partial event replaces deltas; a message that it does not name is lost until its stored event arrives", () => {
    const partial: ApiSessionEvent = {
      event: "partial",
      data: {
        messages: [{ messageID: "m", text: "Hello wor", thinking: "T" }],
        calls: [{ ...names("a"), title: "half" }],
      },
    };
    const transcript = folded([use(3, "a"), delta("m", "Hello"), delta("n", "Other"), partial, delta("m", "ld")]);
    expect(rows(transcript)).toEqual(["call a running", "streaming T|Hello world", "lost |Other"]);
    expect(transcript.items[0]).toMatchObject({ update: { title: "half" } });
    transcript.apply(reply(4, "n", "Other text"));
    transcript.apply(completed(5));
    expect(rows(transcript)).toEqual(["call a running", "lost T|Hello world", "stored |Other text", "completed "]);
  });

  it("[U4] shows the calls of a tool below its own call, also if they run at the same time", () => {
    expect(
      rows([use(1, "a"), use(2, "b"), use(3, "a1", "a"), use(4, "a11", "a1"), use(5, "a2", "a"), use(6, "x", "gone")]),
    ).toEqual([
      "call a running",
      ">call a1 running",
      ">>call a11 running",
      ">call a2 running",
      "call b running",
      "call x running",
    ]);
  });

  it("[U4] a deep tree of calls is indented up to a limit", () => {
    const calls = Array.from({ length: 50 }, (_, n) => use(n + 1, `c${n}`, n === 0 ? undefined : `c${n - 1}`));
    expect(rows(calls).slice(-2)).toEqual([">>>>call c48 running", ">>>>call c49 running"]);
  });

  it("[U4] updates and results change the call, a result without a call has a row, late updates are ignored", () => {
    const update: ApiSessionEvent = { event: "tool_update", data: { ...names("a"), title: "1 of 2" } };
    const transcript = folded([use(1, "a"), update]);
    expect(transcript.items[0]).toMatchObject({ state: "running", update: { title: "1 of 2" } });
    expect([result(2, "a"), update, result(3, "b")].map((event) => transcript.apply(event))).toEqual([
      true,
      false,
      true,
    ]);
    expect(rows(transcript)).toEqual(["call a ok", "call b ok"]);
  });

  it("[U4] an interruption ends calls, questions and messages, and names the calls whose effect is unknown", () => {
    const transcript = folded([user(1, "Go"), use(2, "a"), question(3, "q"), delta("m", "Half")]);
    expect([transcript.status, transcript.openQuestions.length]).toEqual(["waiting", 1]);
    transcript.apply({
      event: "interrupted",
      id: 4,
      data: { at: 400, reason: "The owner is gone.", calls: ["a"], questions: ["q"] },
    });
    expect(rows(transcript)).toEqual([
      "user Go",
      "call a unknown",
      "question q interrupted",
      "lost |Half",
      "interrupted The owner is gone.tool-a",
    ]);
    expect([transcript.status, transcript.openQuestions.length]).toEqual(["interrupted", 0]);
  });

  it("[U4] a question has one answer", () => {
    const answer = (id: number, questionID: string, withdrawn?: true): ApiSessionEvent => ({
      event: "answer",
      id,
      data: { at: 1, questionID, allowed: true, ...(withdrawn === undefined ? {} : { withdrawn }) },
    });
    const transcript = folded([
      question(1, "p"),
      question(2, "q"),
      answer(3, "p"),
      answer(4, "q", true),
      answer(5, "x"),
    ]);
    expect(rows(transcript)).toEqual(["question p answered", "question q withdrawn"]);
    expect(transcript.status).toBe("idle");
  });

  it("[U4] sums usage for each turn and for the session", () => {
    const usage = (id: number, inputTokens: number): ApiSessionEvent => ({
      event: "usage",
      id,
      data: { at: 1, inputTokens, costUsd: 0.5 },
    });
    const transcript = folded([
      user(1, "a"),
      usage(2, 10),
      usage(3, 5),
      completed(4),
      user(5, "b"),
      usage(6, 1),
      completed(7),
    ]);
    expect(transcript.usage).toEqual({ inputTokens: 16, costUsd: 1.5 });
    expect(transcript.items.filter(({ kind }) => kind === "end")).toMatchObject([
      { usage: { inputTokens: 15, costUsd: 1 }, durationMs: 300 },
      { usage: { inputTokens: 1, costUsd: 0.5 }, durationMs: 200 },
    ]);
  });

  it("[U4] follows turn, queue and errors", () => {
    const transcript = folded([user(1, "a"), { event: "queued", data: { position: 2 } }]);
    expect([transcript.status, transcript.queuePosition]).toEqual(["running", 2]);
    transcript.apply({ event: "queued", data: { position: 0 } });
    expect(transcript.queuePosition).toBe(0);
    transcript.apply({ event: "error", id: 2, data: { at: 1, message: "No model.", code: "agent_failed" } });
    expect([transcript.status, rows(transcript).at(-1)]).toEqual(["error", "error No model."]);
    transcript.apply({ event: "completed", id: 3, data: { at: 1, aborted: true } });
    expect([transcript.status, rows(transcript).at(-1)]).toEqual(["idle", "aborted "]);
  });

  it("[U4] a message without text has no row, streamed or not", () => {
    expect(rows([delta("m", " "), reply(1, "m", ""), reply(2, "n", "\n")])).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["an unknown event", { event: "compaction", id: 7, data: {} }],
    ["an unknown live event", { event: "mood", data: {} }],
    ["no data", { event: "message", id: 7, data: null }],
    ["a message without content", { event: "message", id: 7, data: { at: 1, role: "assistant", messageID: "m" } }],
    ["a result without a result", { event: "tool_result", id: 7, data: { at: 1, callID: "c" } }],
    ["a partial without lists", { event: "partial", data: {} }],
    ["an interruption without lists", { event: "interrupted", id: 7, data: { at: 1, reason: "x" } }],
  ])("[U4] goes on after %s", (_, event) => {
    const transcript = folded([user(1, "a")]);
    transcript.apply(event as ApiSessionEvent);
    transcript.apply(reply(8, "m", "After"));
    expect(rows(transcript).at(-1)).toBe("stored |After");
  });

  it("[U4] a message that is lost at the end of its turn stays, also if a later one has its id", () => {
    expect(rows([delta("m", "Half"), completed(1), delta("m", "New"), reply(2, "m", "New text")])).toEqual([
      "lost |Half",
      "completed ",
      "stored |New text",
    ]);
  });

  it("[U2] places a question last, or below its call and the calls of that", () => {
    const events = [use(1, "a"), use(2, "b"), use(3, "a1", "a"), question(4, "q", "a"), use(5, "a2", "a")];
    const [a, a1, a2, b, q] = ["call a", ">call a1", ">call a2", "call b"]
      .map((call) => `${call} running`)
      .concat("question q open");
    expect(rows(events)).toEqual([a, a1, a2, b, q]);
    const view = new SessionView({ hasQuestionsBelowCalls: true });
    for (const event of [...events, question(6, "r", "gone")]) view.apply(event);
    expect(rows(view)).toEqual([a, a1, q, a2, b, "question r open"]);
  });

  it("[U2] tells a listener each change, which then has the only copy of a result", () => {
    const changes: string[] = [];
    const view = new SessionView({
      onChange: (key, item, above) => {
        const hasResult = item?.kind === "call" && item.result !== undefined;
        changes.push([key, item ? row(item) : "removed", ...(hasResult ? ["result"] : []), above ?? ""].join(" / "));
      },
    });
    for (const event of [
      use(1, "a"),
      use(2, "b"),
      use(3, "a1", "a"),
      delta("m", " "),
      reply(4, "m", ""),
      result(5, "a"),
    ])
      view.apply(event);
    expect(changes).toEqual([
      "event 1 / call a running / ",
      "event 2 / call b running / ",
      "event 3 / >call a1 running / event 1",
      "streamed 1 / streaming |  / ",
      "streamed 1 / removed / ",
      "event 1 / call a ok / result / ",
    ]);
    expect(view.items[0]).toMatchObject({ state: "ok" });
    expect(view.items[0]).not.toHaveProperty("result");
  });

  it("[U4] finds the row of a position", () => {
    const transcript = folded([user(2, "a"), delta("x", "live"), use(5, "c"), completed(9)]);
    expect([1, 2, 4, 5, 8, 99].map((position) => transcript.placeAt(position))).toEqual([-1, 0, 0, 2, 2, 3]);
  });
});

describe("[S2] calls with the same id", () => {
  const calls = (transcript: SessionView): unknown[] =>
    transcript.items.flatMap((item) => (item.kind === "call" ? [[item.position, item.state, item.depth]] : []));

  it("have a row each, with their own result and progress", () => {
    const transcript = folded([
      use(1, "call_1"),
      result(2, "call_1"),
      completed(3),
      user(4, "again"),
      use(5, "call_1"),
    ]);
    transcript.apply({ event: "tool_update", data: { ...names("call_1"), title: "new" } });
    expect(calls(transcript)).toEqual([
      [1, "ok", 0],
      [5, "running", 0],
    ]);
    expect(transcript.items.map((item) => (item.kind === "call" ? item.update?.title : ""))).toEqual([
      undefined,
      "",
      "",
      "new",
    ]);
    expect(transcript.status).toBe("running");
    transcript.apply(use(6, "inner", "call_1"));
    transcript.apply(result(7, "inner"));
    transcript.apply(result(8, "call_1"));
    expect(calls(transcript)).toEqual([
      [1, "ok", 0],
      [5, "ok", 0],
      [6, "ok", 1],
    ]);
  });

  it("that run at once end in the order of their starts; an interruption ends all of them", () => {
    const transcript = folded([use(1, "call_1"), use(2, "call_1"), use(3, "call_1"), result(4, "call_1")]);
    expect(calls(transcript)).toEqual([
      [1, "ok", 0],
      [2, "running", 0],
      [3, "running", 0],
    ]);
    const data = { at: 500, reason: "Gone.", calls: ["call_1"], questions: [] };
    transcript.apply({ event: "interrupted", id: 5, data });
    expect(calls(transcript)).toEqual([
      [1, "ok", 0],
      [2, "unknown", 0],
      [3, "unknown", 0],
    ]);
    expect(transcript.status).toBe("interrupted");
  });

  it("have a row each, whatever their ids are", () => {
    const ids = ["a of event 3", "a", "a", "event 4", "__proto__", "__proto__", ""];
    const transcript = folded(ids.map((id, at) => use(at + 1, id)));
    expect(calls(transcript)).toEqual(ids.map((_, at) => [at + 1, "running", 0]));
  });

  it("that have no start are below the call that made them", () => {
    const end = result(3, "inner") as Extract<ApiSessionEvent, { readonly event: "tool_result" }>;
    const transcript = folded([use(1, "a"), use(2, "b"), { ...end, data: { ...end.data, parentID: "a" } }]);
    expect(calls(transcript)).toEqual([
      [1, "running", 0],
      [3, "ok", 1],
      [2, "running", 0],
    ]);
  });

  it("that end twice have a row for each end", () => {
    const transcript = folded([result(1, "call_1"), use(2, "call_1"), result(3, "call_1"), result(4, "call_1")]);
    expect(calls(transcript)).toEqual([
      [1, "ok", 0],
      [2, "ok", 0],
      [4, "ok", 0],
    ]);
  });
});
