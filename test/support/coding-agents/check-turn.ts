import { expect } from "vitest";
import { textOf } from "../../../src/core/result.ts";
import type { FollowedEvent, SessionInfo, StoredEvent } from "../../../src/core/session-log.ts";
import type { Seen } from "./agent-world.ts";

/** Checks what must hold for the log of every turn: each call, message and question is complete, and one event ends the turn. */
export function checkTurn(
  { stored, events, result }: Pick<Seen, "stored" | "events" | "result">,
  { prompt, info }: { readonly prompt: string; readonly info: SessionInfo | undefined },
): void {
  const [first] = stored;
  expect(first?.type).toBe("message.user");
  if (first?.type === "message.user") expect(textOf(first.content).toWellFormed()).toBe(prompt.toWellFormed());
  const starts = stored.filter(({ type }) => type === "tool.start");
  const ends = stored.filter(({ type }) => type === "tool.complete" || type === "tool.failed");
  expect(ids(ends, "callID").sort()).toEqual(ids(starts, "callID").sort());
  expect(new Set(ids(starts, "callID")).size).toBe(starts.length);
  for (const start of starts) {
    const end = ends.find((each) => "callID" in each && "callID" in start && each.callID === start.callID);
    expect(end?.position).toBeGreaterThan(start.position);
  }
  const asked = ids(
    stored.filter(({ type }) => type === "question.asked"),
    "questionID",
  );
  const answered = stored.filter(({ type }) => type === "question.answered");
  expect(ids(answered, "questionID").sort()).toEqual(asked.sort());
  checkMessages(stored, events);
  const over = stored.filter(({ type }) => type === "session.idle" || type === "session.error");
  expect(over).toHaveLength(1);
  expect(stored.at(-1)).toBe(over[0]);
  expect(over[0]).toMatchObject(
    result.ok
      ? { type: "session.idle", ...(result.text === "" ? {} : { text: result.text }) }
      : { type: "session.error", ...result.error },
  );
  expect(info).toMatchObject({ status: result.ok ? "idle" : "error", openCalls: [], openQuestions: [] });
}

/** Each message is completed once, with the text that was streamed, and each call belongs to one. */
function checkMessages(stored: readonly StoredEvent[], events: readonly FollowedEvent[]): void {
  const messages = stored.filter((event) => event.type === "message.complete");
  const messageIDs = messages.map(({ messageID }) => messageID);
  expect(new Set(messageIDs).size).toBe(messages.length);
  for (const { messageID, content } of messages) {
    const streamed = events.flatMap((event) =>
      event.type === "message.delta" && event.messageID === messageID ? [event.text] : [],
    );
    if (streamed.length > 0) expect(streamed.join("")).toBe(textOf(content));
  }
  for (const event of events) {
    if (event.type === "message.delta" || event.type === "tool.start") expect(messageIDs).toContain(event.messageID);
  }
}

function ids(events: readonly StoredEvent[], key: "callID" | "questionID"): string[] {
  return events.map((event) => String((event as unknown as Record<string, unknown>)[key]));
}
