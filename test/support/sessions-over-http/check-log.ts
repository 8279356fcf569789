import { isDeepStrictEqual } from "node:util";
import { textOf } from "../../../src/core/result.ts";
import type { StoredEvent } from "../../../src/core/session-log.ts";
import { keyOf } from "./effect-tool.ts";
import { expectedEvents } from "./expected-events.ts";
import type { SessionReader } from "./session-reader.ts";

/** What clients know about a session. */
export interface KnownSession {
  readonly id: string;
  readonly readers: readonly SessionReader[];
  /** The prompts that were sent; true if that was acknowledged. */
  readonly prompts: ReadonlyMap<string, boolean>;
  /** The ids of questions that were answered; true if that was acknowledged. */
  readonly answers: ReadonlyMap<string, boolean>;
  readonly cancels: { readonly sent: number; readonly acknowledged: number };
}

/** Throws if the log of a session contradicts what clients know. Returns the number of events that were compared. */
export function checkLog(session: KnownSession, log: readonly StoredEvent[]): number {
  const where = `session ${session.id}`;
  for (const [index, { position }] of log.entries())
    if (position !== index + 1) throw new Error(`${where}: position ${position} at ${index + 1}`);
  checkAcknowledged(session, log);
  checkInterruptions(where, log);
  return session.readers.map((reader) => checkReader(reader, log)).reduce((sum, count) => sum + count, 0);
}

/** The reader has seen a part of the log from its begin, without a gap or a double. It may be further than the log that was read. */
function checkReader({ sessionID, seen, durable }: SessionReader, log: readonly StoredEvent[]): number {
  const expected = expectedEvents(log);
  const count = Math.min(expected.length, durable.length);
  for (let index = 0; index < count; index += 1) {
    const { id, event, data } = durable[index] as SessionReader["durable"][number];
    if (isDeepStrictEqual({ id, event, data }, expected[index])) continue;
    throw new Error(
      `session ${sessionID}: event ${index} is ${JSON.stringify({ id, event, data })} instead of ${JSON.stringify(expected[index])}`,
    );
  }
  checkStreamedText(sessionID, seen);
  return count;
}

/** On one connection, the deltas of a message, and what was caught up before them, are its text. */
function checkStreamedText(sessionID: string, seen: SessionReader["seen"]): void {
  const texts = new Map<string, string>();
  for (const [index, { event, data, connection }] of seen.entries()) {
    if (connection !== seen[index - 1]?.connection) texts.clear();
    if (event === "partial") {
      texts.clear();
      const { messages } = data as { messages: readonly { messageID: string; text: string }[] };
      for (const { messageID, text } of messages) texts.set(messageID, text);
    }
    const { messageID = "" } = data as { messageID?: string };
    if (event === "message_delta" && typeof data.text === "string")
      texts.set(messageID, `${texts.get(messageID) ?? ""}${data.text}`);
    if (event !== "message" || data.role !== "assistant") continue;
    const streamed = texts.get(messageID);
    const whole = textOf(data.content as Parameters<typeof textOf>[0]);
    if (streamed !== undefined && streamed !== whole)
      throw new Error(`session ${sessionID}: streamed ${JSON.stringify(streamed)} of ${JSON.stringify(whole)}`);
    texts.delete(messageID);
  }
}

function checkAcknowledged({ id, prompts, answers, cancels }: KnownSession, log: readonly StoredEvent[]): void {
  const cancelled = log.filter(({ type }) => type === "cancel.requested").length;
  if (cancelled < cancels.acknowledged || cancelled > cancels.sent)
    throw new Error(`session ${id}: ${cancelled} requests to cancel in the log, of ${JSON.stringify(cancels)}`);
  const count = (what: string, acknowledged: boolean, found: number): void => {
    if (found > 1 || (acknowledged && found === 0))
      throw new Error(`session ${id}: ${what} (acknowledged: ${acknowledged}) is ${found} times in the log`);
  };
  for (const [prompt, acknowledged] of prompts) {
    const found = log.filter((event) => event.type === "message.user" && textOf(event.content) === prompt);
    count(`the prompt ${prompt}`, acknowledged, found.length);
  }
  for (const [questionID, acknowledged] of answers) {
    const found = log.filter(
      (event) => event.type === "question.answered" && event.questionID === questionID && event.allowed,
    );
    count(`the answer to ${questionID}`, acknowledged, found.length);
  }
}

/** Every turn that has no end is followed by an interruption, which names exactly the calls and questions that were open. */
function checkInterruptions(where: string, log: readonly StoredEvent[]): void {
  const calls = new Set<string>();
  const questions = new Set<string>();
  let isRunning = false;
  for (const event of log) {
    if (event.type === "message.user") {
      if (isRunning) throw new Error(`${where}: the turn before position ${event.position} has no end`);
      isRunning = true;
    }
    if (event.type === "tool.start") calls.add(event.callID);
    if (event.type === "tool.complete" || event.type === "tool.failed") calls.delete(event.callID);
    if (event.type === "question.asked") questions.add(event.questionID);
    if (event.type === "question.answered") questions.delete(event.questionID);
    if (event.type === "session.idle" || event.type === "session.error") isRunning = false;
    if (event.type !== "session.interrupted") continue;
    const named = [...event.calls, ...event.questions].toSorted();
    const open = [...calls, ...questions].toSorted();
    if (!isDeepStrictEqual(named, open))
      throw new Error(`${where}: the interruption at ${event.position} names ${named} instead of ${open}`);
    calls.clear();
    questions.clear();
    isRunning = false;
  }
}

/** Throws unless a branch has the events of its source up to a position, then at most what ended it, and a prompt of its own never. */
export function checkBranch(branch: readonly StoredEvent[], source: readonly StoredEvent[], at: number): void {
  const added = branch.slice(at).map(({ type }) => type);
  if (
    !isDeepStrictEqual(branch.slice(0, at), source.slice(0, at)) ||
    added.some((type) => type !== "session.interrupted")
  )
    throw new Error(`A branch differs from its source before position ${at}, or has ${added}`);
}

/** Whether a turn, a call or a question is open at the end of a log. */
export function isOpen(log: readonly StoredEvent[]): boolean {
  const last = log.findLast(({ type }) =>
    ["message.user", "session.idle", "session.error", "session.interrupted"].includes(type),
  );
  return last?.type === "message.user";
}

/** Adds the calls of a log: how many were started, and how many of them have completed, by session and call. */
export function countCalls(
  sessionID: string,
  log: readonly StoredEvent[],
  calls: Map<string, { started: number; completed: number }>,
): void {
  for (const event of log) {
    if (event.type !== "tool.start" && event.type !== "tool.complete") continue;
    const key = keyOf(sessionID, event.callID);
    const counted = calls.get(key) ?? { started: 0, completed: 0 };
    if (event.type === "tool.start") counted.started += 1;
    else counted.completed += 1;
    calls.set(key, counted);
  }
}
