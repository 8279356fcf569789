import type { QuestionAnswered } from "../core/question.ts";
import type { StoredEvent } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { questionClosed, questionNotFound } from "./open-questions.ts";
import { assertFits } from "./question-answer.ts";

/** How many events are read at a time. */
const PAGE = 100;
/** How often an answer is tried while other processes write to the log. */
const ATTEMPTS = 20;

/**
 * Writes the answer to a question of another process to the log of its session, where that process reads it. Rejects with a
 * `SessionError` if the question is not open, or the answer does not fit it.
 */
export async function forwardAnswer(store: SessionStore, sessionID: string, answered: QuestionAnswered): Promise<void> {
  const { questionID } = answered;
  const question = await findQuestion(store, sessionID, questionID);
  assertFits(answered, question);
  for (let attempt = 1; ; attempt += 1) {
    const info = await store.get(sessionID);
    if (!info?.openQuestions.includes(questionID)) throw questionClosed("answered");
    try {
      // Two answers would contradict each other: this one is written only if nothing was written since the question was seen open.
      await store.append(sessionID, [{ type: "question.answered", ...answered }], { expected: info.position });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !SessionError.is(error) || error.code !== "conflict") throw error;
    }
  }
}

async function findQuestion(
  store: SessionStore,
  sessionID: string,
  questionID: string,
): Promise<StoredEvent & { readonly type: "question.asked" }> {
  for (let after = (await store.get(sessionID)) ? 0 : -1; after >= 0; ) {
    const events = await store.read(sessionID, after, PAGE, ["question.asked"]);
    for (const event of events) if (event.type === "question.asked" && event.questionID === questionID) return event;
    after = events.at(-1)?.position ?? -1;
  }
  throw questionNotFound();
}
