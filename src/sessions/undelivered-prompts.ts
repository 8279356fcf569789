import { textOf } from "../core/result.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { storedEvents } from "./stored-events.ts";

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
  for await (const event of storedEvents(store, sessionID, READ)) {
    if (event.position > before) break;
    switch (event.type) {
      case "message.user":
        prompts.push(textOf(event.content));
        break;
      case "message.complete":
      case "tool.start":
        // A call of the user is no answer.
        if (event.type === "tool.start" && event.agent === "") break;
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
