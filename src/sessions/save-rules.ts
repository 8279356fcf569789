import type { LoggedQuestion, QuestionAnswer } from "../core/question.ts";
import { SessionError } from "../core/session-store.ts";
import { rulesNotSaved } from "./question-answer.ts";

/** A question about permission, which may be answered "always". */
export type PermissionQuestion = LoggedQuestion & { readonly kind: "permission" };

/**
 * Writes the rules of a question to the user's settings. Resolves when they are on disk, to a function that removes those that it has
 * added. Rejects if they would undo a denial.
 */
export type SaveRules = (question: PermissionQuestion) => Promise<() => Promise<void>>;

/** Removes the rules of an answer that did not count, unless the answer that counts needs them. Never rejects. */
export type UndoRules = (counted: QuestionAnswer | undefined) => Promise<void>;

/**
 * Writes the rules of an answer "always" before the answer is stored, so that a log never has such an answer without its rules.
 * Rejects with "rules_not_saved" if they cannot be written.
 */
export async function saveFirst(answer: QuestionAnswer, question: LoggedQuestion, save: SaveRules): Promise<UndoRules> {
  if (!needsRules(answer, question)) return async () => {};
  const undo = await save(question).catch((error: unknown) => {
    throw rulesNotSaved(error, question);
  });
  return async (counted) => {
    if (counted?.remember !== "always") await undo().catch(() => {});
  };
}

/** Whether an answer adds rules to the settings. */
export function needsRules({ remember }: QuestionAnswer, question: LoggedQuestion): question is PermissionQuestion {
  return remember === "always" && question.kind === "permission" && question.choices.includes(remember);
}

/** The answer that counts, of an error that refuses a later one. */
export function firstAnswer(error: unknown): QuestionAnswer | undefined {
  const isClosed = SessionError.is(error) && error.code === "question_closed";
  return isClosed ? (error.cause as QuestionAnswer | undefined) : undefined;
}
