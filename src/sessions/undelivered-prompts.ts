import { textOf } from "../core/result.ts";
import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { lastEvents } from "./stored-events.ts";

const READ: readonly DurableEvent["type"][] = [
  ...(["message.user", "message.complete", "tool.start"] as const),
  ...(["session.idle", "session.error", "session.interrupted"] as const),
];

/**
 * The prompts before a position that their agent may not have: their turns were interrupted before it answered, for example while
 * they waited in the queue. Prompts of turns that failed or were cancelled are not among them: a person knows of that.
 */
export async function undeliveredPrompts(
  store: SessionStore,
  sessionID: string,
  before: number,
): Promise<readonly string[]> {
  let undelivered: string[] = [];
  let prompts: string[] = [];
  for (const event of await lastEvents(store, sessionID, { before, types: READ }, hasAnswer)) {
    switch (event.type) {
      case "message.user":
        prompts.push(textOf(event.content));
        break;
      case "message.complete":
      case "tool.start":
        if (isCallOfUser(event)) break;
        // The agent has answered, so it has these and all earlier ones.
        if (prompts.length > 0) undelivered = [];
        prompts = [];
        break;
      case "session.interrupted":
        undelivered.push(...prompts);
        prompts = [];
        break;
      default:
        prompts = [];
    }
  }
  return undelivered.filter((text) => text !== "");
}

/** Whether events have the answer to a prompt. Its agent then has all prompts before it. */
function hasAnswer(events: readonly StoredEvent[]): boolean {
  const others = events.filter((event) => !isCallOfUser(event));
  return others.some(
    ({ type }, index) =>
      (type === "message.complete" || type === "tool.start") && others[index - 1]?.type === "message.user",
  );
}

/** It is no answer. */
function isCallOfUser(event: StoredEvent): boolean {
  return event.type === "tool.start" && event.agent === "";
}
