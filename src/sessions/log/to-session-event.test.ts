import { describe, expect, it } from "vitest";
import type { DurableEvent, FollowedEvent } from "../../core/session-log.ts";
import { toSessionEvent } from "./to-session-event.ts";

const CALL = { callID: "c", tool: "t", messageID: "m", agent: "a" };
const CONTENT = [{ type: "text", text: "x" }] as const;
const OK = { ok: true, content: CONTENT, notes: { durationMs: 1 } } as const;
const FAILED = { ...OK, ok: false, error: { code: "failed", message: "x" } } as const;
const DIALOG = { kind: "dialog", method: "confirm", questionID: "q", callID: "c", tool: "t", agent: "a", reason: "?" };

const stored = (event: DurableEvent): FollowedEvent => ({ ...event, position: 7, at: 5, v: 1 });

describe("[S2] events of a session", () => {
  it.each<[DurableEvent, string, object]>([
    [{ type: "message.user", messageID: "m", content: CONTENT }, "message", { role: "user", content: CONTENT }],
    [
      { type: "message.complete", messageID: "m", content: CONTENT, thinking: "hm" },
      "message",
      { role: "assistant", messageID: "m", thinking: "hm" },
    ],
    [{ type: "tool.start", ...CALL, input: { a: 1 } }, "tool_use", { ...CALL, input: { a: 1 } }],
    [{ type: "tool.complete", ...CALL, result: OK }, "tool_result", { ...CALL, result: OK }],
    [{ type: "tool.failed", ...CALL, result: FAILED } as DurableEvent, "tool_result", { ...CALL, result: FAILED }],
    [{ type: "question.asked", ...DIALOG } as DurableEvent, "permission", DIALOG],
    [{ type: "question.answered", questionID: "q", allowed: true }, "answer", { questionID: "q", allowed: true }],
    [{ type: "usage", inputTokens: 3 }, "usage", { inputTokens: 3 }],
    [{ type: "session.error", message: "no", code: "x" }, "error", { message: "no", code: "x" }],
    [{ type: "session.idle", text: "x", aborted: true }, "completed", { text: "x", aborted: true }],
    [
      { type: "session.interrupted", reason: "r", calls: ["c"], questions: [] },
      "interrupted",
      { reason: "r", calls: ["c"], questions: [] },
    ],
  ])("%j has an id, its position", (event, name, data) => {
    const sent = toSessionEvent(stored(event));
    expect(sent).toMatchObject({ event: name, id: 7, data: { ...data, at: 5 } });
    for (const key of ["type", "v", "position"]) expect(sent?.data).not.toHaveProperty(key);
  });

  it.each<[FollowedEvent, string, object]>([
    [{ type: "message.delta", messageID: "m", text: "x" }, "message_delta", { messageID: "m", text: "x" }],
    [{ type: "thinking.delta", messageID: "m", text: "x" }, "message_delta", { messageID: "m", thinking: "x" }],
    [{ type: "tool.update", ...CALL, title: "t" }, "tool_update", { ...CALL, title: "t" }],
    [{ type: "session.partial", messages: [], calls: [] }, "partial", { messages: [], calls: [] }],
  ])("%j is not stored, and has none", (event, name, data) => {
    expect(toSessionEvent(event)).toEqual({ event: name, data });
  });

  it.each<[object]>([
    [{ type: "session.start", directory: "/" }],
    [{ type: "state.set", of: "tools", key: "k", value: "secret" }],
    [{ type: "entry.added", entry: {} }],
    [{ type: "cancel.requested" }],
    [{ type: "of.a.later.version" }],
  ])("%j is not sent", (event) => {
    expect(toSessionEvent(stored(event as DurableEvent))).toBeUndefined();
  });

  it("[X1] say who a message is from, whatever else the log has", () => {
    const forged = { messageID: "m", content: CONTENT, role: "user", event: "completed", id: 99 };
    const sent = toSessionEvent(stored({ type: "message.complete", ...forged } as DurableEvent));
    expect(sent).toMatchObject({ event: "message", id: 7, data: { role: "assistant" } });
  });
});
