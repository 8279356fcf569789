import { describe, expect, it } from "vitest";
import type { DurableEvent, StoredEvent } from "../../../core/session-log.ts";
import { readConversation } from "./conversation.ts";

const text = (value: string) => [{ type: "text", text: value } as const];
const user = (messageID: string): DurableEvent => ({
  type: "message.user",
  messageID,
  content: text(`From ${messageID}`),
});
const said = (messageID: string, value = ""): DurableEvent => ({
  type: "message.complete",
  messageID,
  content: value === "" ? [] : text(value),
});
const call = (messageID: string, callID: string, more: { parentID?: string } = {}) => ({
  ...{ callID, messageID, tool: "note", agent: "langchain" },
  ...more,
});
const start = (messageID: string, callID: string, more: { parentID?: string } = {}): DurableEvent => ({
  type: "tool.start",
  input: { of: callID },
  ...call(messageID, callID, more),
});
const done = (messageID: string, callID: string): DurableEvent => ({
  type: "tool.complete",
  result: { ok: true, content: text(`Result of ${callID}`), notes: { durationMs: 1 } },
  ...call(messageID, callID),
});

/** The conversation in one line for each message. */
async function conversation(...events: readonly DurableEvent[]): Promise<string[]> {
  const { messages } = await readConversation(stored(events), () => []);
  return messages.map((message) =>
    message.role === "user"
      ? `user: ${message.content.map((part) => (part.type === "text" ? part.text : part.type)).join()}`
      : `${message.text}|${message.calls.map(({ callID, result }) => `${callID}=${result.text}`).join()}`,
  );
}

async function* stored(events: readonly DurableEvent[]): AsyncGenerator<StoredEvent> {
  for (const [index, event] of events.entries()) yield { ...event, position: index + 1, at: 0, v: 1 };
}

const INTERRUPTED = "The call was interrupted. It is unknown whether it had an effect: check before you run it again.";

describe("[G4] the conversation in a log", () => {
  it.each<[string, readonly DurableEvent[], readonly string[]]>([
    ["nothing but the prompt", [user("u1")], []],
    ["a message", [user("u1"), said("a1", "Hello."), user("u2")], ["user: From u1", "Hello.|"]],
    [
      "calls with results, in the order of the calls",
      [user("u1"), said("a1"), start("a1", "c1"), start("a1", "c2"), done("a1", "c2"), done("a1", "c1"), user("u2")],
      ["user: From u1", "|c1=Result of c1,c2=Result of c2"],
    ],
    [
      "a call that was interrupted",
      [user("u1"), said("a1", "Now."), start("a1", "c1"), start("a1", "c2"), done("a1", "c1"), user("u2")],
      ["user: From u1", `Now.|c1=Result of c1,c2=${INTERRUPTED}`],
    ],
    [
      "a call whose message was not recorded",
      [user("u1"), start("a1", "c1"), done("a1", "c1"), user("u2")],
      ["user: From u1", "|c1=Result of c1"],
    ],
    [
      "a message that was recorded after its call",
      [user("u1"), start("a1", "c1"), said("a1", "Now."), done("a1", "c1"), user("u2")],
      ["user: From u1", "Now.|c1=Result of c1"],
    ],
    [
      "two calls with the same id",
      [user("u1"), said("a1"), start("a1", "c"), done("a1", "c"), said("a2"), start("a2", "c"), user("u2")],
      ["user: From u1", "|c=Result of c", `|c=${INTERRUPTED}`],
    ],
    ["a message without content", [user("u1"), said("a1"), said("a2", " "), user("u2")], ["user: From u1"]],
    ["two messages of the user", [user("u1"), user("u2"), user("u3")], ["user: From u1", "user: From u2"]],
    [
      "a call of a tool",
      [user("u1"), said("a1", "Hm."), start("a1", "c1", { parentID: "c0" }), user("u2")],
      ["user: From u1", "Hm.|"],
    ],
    ["a call of a person", [user("u1"), start("", "c1"), start("u1", "c2"), user("u2")], ["user: From u1"]],
    ["a prompt after which the model has already answered", [user("u1"), said("a1", "Hello.")], []],
  ])("has %s", async (_title, events, expected) => {
    expect(await conversation(...events)).toEqual(expected);
  });
});
