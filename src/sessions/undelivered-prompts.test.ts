import { describe, expect, it } from "vitest";
import type { DurableEvent } from "../core/session-log.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { undeliveredPrompts } from "./undelivered-prompts.ts";

const prompt = (text: string): DurableEvent => ({
  type: "message.user",
  messageID: "",
  content: [{ type: "text", text }],
});
const start = (agent: string): DurableEvent => ({
  type: "tool.start",
  ...{ callID: crypto.randomUUID(), tool: "t", messageID: "", input: {}, agent },
});
const ANSWER: DurableEvent = { type: "message.complete", messageID: "m", content: [] };
const IDLE: DurableEvent = { type: "session.idle" };
const FAILED: DurableEvent = { type: "session.error", message: "no" };
const INTERRUPTED: DurableEvent = { type: "session.interrupted", reason: "gone", calls: [], questions: [] };

describe("[S2] the prompts that an agent may not have", () => {
  it.each<[string, DurableEvent[], string[]]>([
    ["none in an empty session", [], []],
    ["none of a complete turn", [prompt("a"), ANSWER, IDLE], []],
    ["one whose turn was interrupted before an answer", [prompt("a"), INTERRUPTED], ["a"]],
    ["none after the agent has answered", [prompt("a"), ANSWER, INTERRUPTED], []],
    ["none after the agent has called a tool", [prompt("a"), start("demo"), INTERRUPTED], []],
    ["one after the user has called a tool", [prompt("a"), start(""), INTERRUPTED], ["a"]],
    ["several", [prompt("a"), INTERRUPTED, prompt("b"), INTERRUPTED], ["a", "b"]],
    ["several, after calls of the user", [prompt("a"), INTERRUPTED, start(""), prompt("b"), INTERRUPTED], ["a", "b"]],
    ["none before an answer", [prompt("a"), INTERRUPTED, prompt("b"), ANSWER, INTERRUPTED], []],
    ["none of a turn that failed", [prompt("a"), FAILED], []],
    ["none of a turn that was cancelled", [prompt("a"), IDLE], []],
    ["none that is empty", [prompt(""), INTERRUPTED], []],
  ])("are %s", async (_what, events, expected) => {
    const store = createMemoryStore({ project: "/p" });
    await store.create({ id: "s", directory: "/p" });
    if (events.length > 0) await store.append("s", events);
    expect(await undeliveredPrompts(store, "s", Number.POSITIVE_INFINITY)).toEqual(expected);
  });
});
