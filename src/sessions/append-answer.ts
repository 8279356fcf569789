import type { QuestionAnswered } from "../core/question.ts";
import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { questionClosed } from "./question-answer.ts";
import { storedEvents } from "./stored-events.ts";

/** How often an answer is tried while other processes write to the log. */
const ATTEMPTS = 20;

type AnsweredEvent = DurableEvent & { readonly type: "question.answered" };

/**
 * Appends the answer to a question, if the question is open in the log. Otherwise rejects with "question_closed", whose cause is
 * the first answer. Returns the position.
 */
export async function appendAnswer(store: SessionStore, sessionID: string, answer: AnsweredEvent): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const info = await store.get(sessionID);
    if (info && !info.openQuestions.includes(answer.questionID)) {
      const first = await firstAnswer(store, sessionID, answer);
      throw questionClosed(first && !first.withdrawn ? "answered" : "withdrawn", first);
    }
    // Written only if nothing was written since the question was seen open: two answers would contradict each other.
    const isLast = attempt === ATTEMPTS || !info;
    try {
      return await store.append(sessionID, [answer], isLast ? {} : { expected: info.position });
    } catch (error) {
      if (isLast || !SessionError.is(error) || error.code !== "conflict") throw error;
    }
  }
}

async function firstAnswer(
  store: SessionStore,
  sessionID: string,
  { questionID }: AnsweredEvent,
): Promise<QuestionAnswered | undefined> {
  return findEvent(store, sessionID, "question.answered", (event) => event.questionID === questionID);
}

/** The first event of a type that passes a test. */
export async function findEvent<T extends DurableEvent["type"]>(
  store: SessionStore,
  sessionID: string,
  type: T,
  test: (event: StoredEvent & { readonly type: T }) => boolean,
): Promise<(StoredEvent & { readonly type: T }) | undefined> {
  for await (const event of storedEvents(store, sessionID, [type])) {
    if (test(event)) return event;
  }
  return undefined;
}
