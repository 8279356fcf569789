import type { QuestionAnswered } from "../core/question.ts";
import type { DurableEvent, SessionInfo } from "../core/session-log.ts";
import { type AppendOptions, SessionError, type SessionStore } from "../core/session-store.ts";
import { defined } from "../platform/values/defined.ts";
import { questionClosed } from "./question-answer.ts";
import { findEvent } from "./stored-events.ts";

/** How often an event is tried while other events are written to the log. */
const ATTEMPTS = 200;

type AnsweredEvent = DurableEvent & { readonly type: "question.answered" };

/**
 * Appends the answer to a question, if the question is open in the log. Otherwise rejects with "question_closed", whose cause is
 * the first answer. Returns the position.
 */
export async function appendAnswer(store: SessionStore, sessionID: string, answer: AnsweredEvent): Promise<number> {
  const isOpen = ({ openQuestions }: SessionInfo): boolean => openQuestions.includes(answer.questionID);
  const position = await appendWhile(store, sessionID, answer, { isNeeded: isOpen });
  if (position !== undefined) return position;
  const first = await firstAnswer(store, sessionID, answer);
  throw questionClosed(first && !first.withdrawn ? "answered" : "withdrawn", first);
}

/**
 * Appends an event, if the session is in a state that needs it. Returns the position; undefined if the event is not needed. Two
 * processes do not append it for the same state.
 */
export async function appendWhile(
  store: SessionStore,
  sessionID: string,
  event: DurableEvent,
  { epoch, isNeeded }: Pick<AppendOptions, "epoch"> & { readonly isNeeded: (info: SessionInfo) => boolean },
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const info = await store.get(sessionID);
    if (info && !isNeeded(info)) return undefined;
    // Written only if nothing was written since the session was looked at.
    const options = { ...defined({ expected: info?.position, epoch }) };
    try {
      return await store.append(sessionID, [event], options);
    } catch (error) {
      if (attempt === ATTEMPTS || !SessionError.is(error) || error.code !== "conflict") throw error;
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
