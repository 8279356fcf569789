import type { DurableEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { appendAnswer } from "./append-answer.ts";
import { assertFits, questionNotFound } from "./question-answer.ts";
import { firstAnswer, type SaveRules, saveFirst } from "./save-rules.ts";
import { findEvent } from "./stored-events.ts";

/**
 * Writes the answer to a question of another process to the log of its session, where that process reads it. Rejects with a
 * `SessionError` if the question is not open, or the answer does not fit it.
 */
export async function forwardAnswer(
  store: SessionStore,
  sessionID: string,
  answer: DurableEvent & { readonly type: "question.answered" },
  saveRules: SaveRules,
): Promise<void> {
  const { questionID } = answer;
  const question =
    (await store.get(sessionID)) &&
    (await findEvent(store, sessionID, "question.asked", (event) => event.questionID === questionID));
  if (!question) throw questionNotFound();
  assertFits(answer, question);
  const undo = await saveFirst(answer, question, saveRules);
  try {
    await appendAnswer(store, sessionID, answer);
  } catch (error) {
    await undo(firstAnswer(error));
    throw error;
  }
}
