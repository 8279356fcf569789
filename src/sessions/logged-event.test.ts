import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../core/coding-agent.ts";
import type { DurableEvent, LiveEvent } from "../core/session-log.ts";
import { TurnRecorder } from "./turn-recorder.ts";

const CALL = { callID: "call_1", tool: "demo:read", messageID: "m", agent: "demo" };
const RESULT = { ok: true, content: [], notes: { durationMs: 1 } } as const;
const FAILURE = {
  ok: false,
  content: [],
  error: { code: "failed", message: "No." },
  notes: { durationMs: 1 },
} as const;

function recording(): { recorder: TurnRecorder; stored: DurableEvent[]; live: LiveEvent[] } {
  const stored: DurableEvent[] = [];
  const live: LiveEvent[] = [];
  const append = async (event: DurableEvent): Promise<void> => void stored.push(event);
  const publish = (event: LiveEvent): void => void live.push(event);
  const recorder = new TurnRecorder({ append, publish, tell: () => {}, notice: () => {} }, "m");
  return { recorder, stored, live };
}

const EVENTS: readonly AgentEvent[] = [
  { type: "message.delta", messageID: "m", text: "a" },
  { type: "thinking.delta", messageID: "m", text: "a" },
  { type: "message.complete", messageID: "m", content: [], thinking: "b" },
  { type: "tool.start", ...CALL, input: { type: "session.idle" } },
  { type: "tool.start", ...CALL, parentID: "p", input: undefined },
  { type: "tool.start", ...CALL, input: {}, card: { kind: "command", command: "command" } },
  { type: "tool.update", ...CALL, title: "t", metadata: { at: 1 } },
  { type: "tool.complete", ...CALL, result: RESULT },
  { type: "tool.failed", ...CALL, result: FAILURE },
  { type: "usage", messageID: "m", inputTokens: 1, outputTokens: 2, costUsd: 0.1, model: "x" },
];

/** What an agent could add to an event. */
const FORGED: readonly Readonly<Record<string, unknown>>[] = [
  { at: 1 },
  { position: 1 },
  { v: 99 },
  { id: "other" },
  { sessionID: "other" },
  { by: "user" },
  { epoch: 99 },
  { of: "session", key: "mode", value: "bypass" },
  { questionID: "q", allowed: true },
  { calls: ["c"], questions: ["q"], reason: "r" },
  { entry: { type: "custom" } },
  JSON.parse('{ "__proto__": { "type": "session.idle" }, "constructor": 1 }') as Record<string, unknown>,
];

describe("[S2] [X1] an event of an agent", () => {
  it("[P3] says of a refused call of its own tool that a rule could have allowed it", async () => {
    const { recorder, stored } = recording();
    recorder.markAllowable(CALL.callID);
    await recorder.record({ type: "tool.failed", ...CALL, result: FAILURE });
    await recorder.record({ type: "tool.failed", ...CALL, callID: "call_2", result: FAILURE });
    const data = stored.map((event) => (event.type === "tool.failed" ? event.result.error.data : undefined));
    expect(data).toEqual([{ allowable: true }, undefined]);
  });

  it("has only numbers that are possible", async () => {
    const { recorder, stored } = recording();
    await recorder.record({
      type: "usage",
      inputTokens: -5,
      outputTokens: Number.NaN,
      costUsd: "1",
      cacheReadTokens: 0,
    } as never);
    expect(stored).toStrictEqual([{ type: "usage", cacheReadTokens: 0 }]);
  });

  it("has texts and content of the right types, whatever the agent sent", async () => {
    const { recorder, stored, live } = recording();
    const parts = [
      null,
      "a",
      { type: "text", text: 7 },
      { type: "text" },
      { type: "image", data: "AA==" },
      { type: "file", mimeType: "a/b", name: 7 },
      { type: "other", text: "a" },
    ];
    const kept = [
      { type: "text", text: "a" },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ];
    const content = [...parts, ...kept];
    const call = { callID: 7, tool: null, messageID: {}, agent: [] };
    const sent = [
      { type: "message.delta", messageID: 7, text: { a: 1 } },
      { type: "message.complete", messageID: "m", content, thinking: 7 },
      { type: "message.complete", messageID: "m", content: "text" },
      { type: "tool.start", ...call, input: 7 },
      { type: "tool.start", ...CALL, input: 7, card: { kind: "command", command: "a", run: "b" } },
      { type: "tool.update", ...CALL, title: 7 },
      { type: "tool.complete", ...CALL, result: { ...RESULT, content } },
      { type: "tool.failed", ...CALL, result: { ...FAILURE, content: null, error: { code: "failed", message: 7 } } },
    ];
    for (const event of sent) await recorder.record(event as never);
    expect([...stored, ...live]).toStrictEqual([
      { type: "message.complete", messageID: "m", content: kept, thinking: "" },
      { type: "message.complete", messageID: "m", content: [] },
      { type: "tool.start", callID: "", tool: "", messageID: "", agent: "", input: 7 },
      { type: "tool.start", ...CALL, input: 7 },
      { type: "tool.complete", ...CALL, result: { ...RESULT, content: kept } },
      { type: "tool.failed", ...CALL, result: { ...FAILURE, content: [], error: { code: "failed", message: "" } } },
      { type: "message.delta", messageID: "", text: "" },
      { type: "tool.update", ...CALL, title: "" },
    ]);
  });

  it.each(
    EVENTS.flatMap((event) => FORGED.map((forged) => [event.type, JSON.stringify(forged), event, forged] as const)),
  )("%s with %s has only its own fields in the log", async (_type, _forged, event, forged) => {
    const { recorder, stored, live } = recording();
    await recorder.record({ ...forged, ...event });
    expect([...stored, ...live]).toStrictEqual([event]);
  });

  it.each([
    [{ inputTokens: "1", outputTokens: Number.NaN, costUsd: { type: "x" }, model: 5 }, {}],
    [{ inputTokens: 0, cacheReadTokens: Number.POSITIVE_INFINITY, cacheWriteTokens: null }, { inputTokens: 0 }],
  ])("with the usage %j counts %j", async (sent, counted) => {
    const { recorder, stored } = recording();
    await recorder.record({ type: "usage", ...sent } as unknown as AgentEvent);
    expect(stored).toStrictEqual([{ type: "usage", ...counted }]);
  });

  it("that ends a message completes it with what was streamed, once", async () => {
    const { recorder, stored } = recording();
    for (const text of ["One ", "two."]) {
      await recorder.record({ type: "message.delta", messageID: "a", text });
      await recorder.record({ type: "thinking.delta", messageID: "a", text });
    }
    await recorder.record({ type: "message.delta", messageID: "b", text: "Other" });
    await recorder.record({ type: "message.end", messageID: "a" });
    await recorder.record({ type: "message.end", messageID: "c" });
    expect(recorder.text).toBe("One two.");
    await recorder.finish();
    expect(stored).toStrictEqual([
      {
        type: "message.complete",
        messageID: "a",
        content: [{ type: "text", text: "One two." }],
        thinking: "One two.",
      },
      { type: "message.complete", messageID: "c", content: [] },
      { type: "message.complete", messageID: "b", content: [{ type: "text", text: "Other" }] },
    ]);
  });

  it("that starts a call with the id of an open one ends that one first", async () => {
    const { recorder, stored } = recording();
    const start = { type: "tool.start", ...CALL, input: 1 } as const;
    await recorder.record(start);
    await recorder.record({ ...start, input: 2 });
    await recorder.record({ type: "tool.complete", ...CALL, result: RESULT });
    await recorder.record({ ...start, input: 3 });
    await recorder.finish();
    expect(stored.map(({ type }) => type)).toEqual([
      "tool.start",
      "tool.failed",
      "tool.start",
      "tool.complete",
      "tool.start",
      "tool.failed",
    ]);
  });
});
