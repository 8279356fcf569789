import { expect, it } from "vitest";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import type { AssistantBlock, SdkMessage, StreamMessage } from "./claude-sdk.ts";
import { ClaudeTurn } from "./claude-turn.ts";

const stream = (event: StreamMessage["event"]): SdkMessage => ({ type: "stream_event", event });
const start = (id: string): SdkMessage =>
  stream({ type: "message_start", message: { id, model: "m", usage: { input_tokens: 10, output_tokens: 1 } } });
const delta = (text: string): SdkMessage =>
  stream({ type: "content_block_delta", delta: { type: "text_delta", text } });
const blocks = (id: string, ...content: AssistantBlock[]): SdkMessage => ({
  type: "assistant",
  message: { id, model: "m", content },
});
const stop = stream({ type: "message_stop" });
const own: AssistantBlock = { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } };
const ours: AssistantBlock = { type: "tool_use", id: "c2", name: "mcp__toolwright__greet", input: {} };

/** The events, with readable ids of messages and without durations. */
function read(turn: ClaudeTurn, messages: readonly SdkMessage[]): unknown[] {
  const ids: string[] = [];
  const numbered = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `m${ids.indexOf(id) + 1}`;
  };
  return messages
    .flatMap((message) => turn.read(message))
    .map((event: AgentEvent) => {
      const named = "messageID" in event ? { ...event, messageID: numbered(event.messageID ?? "") } : event;
      return JSON.parse(JSON.stringify(named, (key, value) => (key === "notes" ? undefined : value)));
    });
}

it("[G1] streams a message, then completes it, counts its tokens and starts the calls of Claude's own tools", () => {
  const turn = new ClaudeTurn();
  const events = read(turn, [
    start("api"),
    stream({ type: "content_block_delta", delta: { type: "thinking_delta", thinking: "hm" } }),
    blocks("api", { type: "thinking", thinking: "hm" }),
    delta("One "),
    delta("two"),
    blocks("api", { type: "text", text: "One two" }),
    blocks("api", own),
    blocks("api", ours),
    stream({ type: "message_delta", usage: { output_tokens: 5, cache_read_input_tokens: null } }),
    stop,
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "a" }] }] },
    },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c2", content: "ours" }] } },
  ]);
  const call = { callID: "c1", tool: "claude:Bash", messageID: "m1", agent: "claude" };
  expect(events).toEqual([
    { type: "thinking.delta", messageID: "m1", text: "hm" },
    { type: "message.delta", messageID: "m1", text: "One " },
    { type: "message.delta", messageID: "m1", text: "two" },
    { type: "message.complete", messageID: "m1", content: [{ type: "text", text: "One two" }], thinking: "hm" },
    { type: "usage", messageID: "m1", inputTokens: 10, outputTokens: 5, model: "m" },
    { type: "tool.start", ...call, input: { command: "ls" }, card: { kind: "command", command: "command" } },
    { type: "tool.complete", ...call, result: { ok: true, content: [{ type: "text", text: "a" }] } },
  ]);
});

it("[G1] the text of a failed call is its error, once", () => {
  const turn = new ClaudeTurn();
  const content = "<tool_use_error>No such file.</tool_use_error>";
  const events = read(turn, [
    blocks("api", own),
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c1", is_error: true, content }] } },
  ]);
  const error = { code: "failed", message: "No such file." };
  expect(events.at(-1)).toMatchObject({ type: "tool.failed", callID: "c1", result: { ok: false, content: [], error } });
});

it("[G1] messages have different ids even if the API repeats one, and messages without a stream are complete", () => {
  const turn = new ClaudeTurn();
  const text = { type: "text", text: "x" } as const;
  const events = read(turn, [start("same"), stop, start("same"), stop, blocks("unstreamed", text)]);
  expect(events.filter((event) => (event as AgentEvent).type === "message.complete")).toEqual([
    { type: "message.complete", messageID: "m1", content: [] },
    { type: "message.complete", messageID: "m2", content: [] },
    { type: "message.complete", messageID: "m3", content: [text] },
  ]);
});

it("[G1] a call of a sub-agent belongs to the message and the call that started it", () => {
  const turn = new ClaudeTurn();
  const agent: AssistantBlock = { type: "tool_use", id: "a", name: "Agent", input: {} };
  const events = read(turn, [
    start("api"),
    blocks("api", agent),
    stop,
    { ...(start("sub") as StreamMessage), parent_tool_use_id: "a" },
    { ...(blocks("sub", own, ours) as SdkMessage & { type: "assistant" }), parent_tool_use_id: "a" },
  ]);
  expect(events.slice(-2)).toMatchObject([
    { type: "tool.start", callID: "a", tool: "claude:Agent", messageID: "m1" },
    { type: "tool.start", callID: "c1", tool: "claude:Bash", messageID: "m1", parentID: "a" },
  ]);
  expect(turn.calls.knownMessageOf("c2")).toBe(turn.calls.knownMessageOf("a"));
});

it("[G1] a failure that Claude Code reports as a message is no message of the model", () => {
  const turn = new ClaudeTurn();
  const failed = { ...blocks("x", { type: "text", text: "API Error" }), error: "server_error" } as SdkMessage;
  expect(read(turn, [failed])).toEqual([]);
  expect(turn.error).toBe("server_error");
});

it("[G1] [G6] tells of compaction and of retries, and of their ends", () => {
  const retry = { type: "system", subtype: "api_retry", max_retries: 3, retry_delay_ms: 1_600 } as const;
  const turn = new ClaudeTurn();
  const events = read(turn, [
    { type: "system", subtype: "status", status: "compacting" },
    { type: "system", subtype: "status", status: "compacting" },
    { type: "system", subtype: "status", status: null, compact_result: "failed", compact_error: "too long" },
    { ...retry, attempt: 1, error_status: 529, error: "overloaded" },
    start("api"),
    stop,
    { ...retry, attempt: 2, error_status: null, error: "unknown" },
    { type: "result", subtype: "success", is_error: true, result: "API Error" },
  ]).filter((event) => ["session.event", "notice"].includes((event as AgentEvent).type));
  const retries = { maxAttempts: 3, delayMs: 1_600 };
  expect(events).toEqual([
    { type: "session.event", event: { reason: "auto_compaction_start", trigger: "threshold" } },
    {
      type: "session.event",
      event: { reason: "auto_compaction_end", aborted: false, willRetry: false, errorMessage: "too long" },
    },
    {
      type: "session.event",
      event: { reason: "auto_retry_start", attempt: 1, errorMessage: "529 overloaded", ...retries },
    },
    {
      type: "notice",
      message: "The model did not answer (529 overloaded). Claude tries again in 2 s (1 of 3).",
    },
    { type: "session.event", event: { reason: "auto_retry_end", success: true, attempt: 1 } },
    { type: "session.event", event: { reason: "auto_retry_start", attempt: 2, errorMessage: "unknown", ...retries } },
    { type: "notice", message: "The model did not answer (unknown). Claude tries again in 2 s (2 of 3)." },
    { type: "session.event", event: { reason: "auto_retry_end", success: false, attempt: 2, finalError: "API Error" } },
  ]);
});
