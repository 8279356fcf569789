import type { SessionInfo } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { sessionOfQuestion } from "./open-questions.ts";
import { questionClosed, questionNotFound } from "./question-answer.ts";
import { findEvent } from "./stored-events.ts";

/**
 * Rejects with a `SessionError` if a question is not one of this session, and not an open one of a sub-agent that it waits for.
 * Whether a question of the session itself is open is not checked.
 */
export async function assertAskedIn(
  store: SessionStore,
  { id, openQuestions }: SessionInfo,
  questionID: string,
): Promise<void> {
  if (sessionOfQuestion(questionID) === id || openQuestions.includes(questionID)) return;
  const answered = await findEvent(store, id, "question.answered", (event) => event.questionID === questionID);
  throw answered ? questionClosed(answered.withdrawn ? "withdrawn" : "answered", answered) : questionNotFound();
}
