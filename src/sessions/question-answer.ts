import { messageOf } from "../core/error.ts";
import type { LoggedQuestion, QuestionAnswer } from "../core/question.ts";
import { SessionError } from "../core/session-store.ts";
import { defined } from "../platform/values/defined.ts";
import { isObject } from "../platform/values/is-object.ts";

/** The longest reason in an answer: a model reads it. */
const MAX_REASON = 10_000;

/** The answer in a value of any type. Throws a `SessionError` that names the field and says what is expected. */
export function parseAnswer(value: unknown): QuestionAnswer {
  if (!isObject(value)) throw invalid('The answer must be an object: { "allowed": true } or { "allowed": false }.');
  const { allowed, remember, reason, value: chosen, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw invalid(
      `There is no field ${JSON.stringify(unknown)} in an answer. Fields: allowed, remember, reason, value.`,
    );
  }
  if (typeof allowed !== "boolean") throw invalid('"allowed" must be true or false.');
  if (remember !== undefined && remember !== "session" && remember !== "always") {
    throw invalid('"remember" must be "session" or "always". Leave it out to allow this once.');
  }
  if (remember !== undefined && !allowed)
    throw invalid('"remember" is only for a yes: leave it out, or set "allowed" to true.');
  if (reason !== undefined && (typeof reason !== "string" || reason.length > MAX_REASON)) {
    throw invalid(`"reason" must be a string of at most ${MAX_REASON} characters.`);
  }
  return {
    allowed,
    ...defined({ remember, reason, value: chosen }),
  };
}

/** Throws a `SessionError` if the answer does not fit the question. */
export function assertFits({ allowed, remember, value }: QuestionAnswer, question: LoggedQuestion): void {
  if (question.kind === "permission") {
    if (value !== undefined) throw invalid('"value" is only for dialogs. This question asks for permission.');
    if (remember === undefined || question.choices.includes(remember)) return;
    const longer = question.choices.filter((choice) => choice !== "once");
    const offered = longer.map((choice) => JSON.stringify(choice)).join(", ");
    throw invalid(
      `"remember": ${JSON.stringify(remember)} is not offered for this question. ${longer.length > 0 ? `Offered: ${offered}, or leave it out to allow this once.` : "Leave it out to allow this once."}`,
    );
  }
  if (remember !== undefined) throw invalid('"remember" is only for permissions. This question is a dialog.');
  if (!allowed && value !== undefined) throw invalid('"value" needs "allowed": true. false closes the dialog.');
  if (allowed && !isValue(value, question)) throw invalid(`"value" must be ${expected(question)}.`);
}

type Permission = Extract<LoggedQuestion, { readonly kind: "permission" }>;
type Dialog = Extract<LoggedQuestion, { readonly kind: "dialog" }>;

function isValue(value: unknown, { method, options = [] }: Dialog): boolean {
  if (method === "confirm") return typeof value === "boolean";
  if (typeof value !== "string") return false;
  return method !== "select" || options.includes(value);
}

function expected({ method, options = [] }: Dialog): string {
  if (method === "confirm") return "true or false";
  if (method !== "select") return "a string";
  return `one of the options: ${options.map((option) => JSON.stringify(option)).join(", ")}`;
}

function invalid(message: string): SessionError {
  return new SessionError("invalid_answer", message);
}

/** `first` is the answer that counts, if it is known. */
export function questionClosed(how: "answered" | "withdrawn", first?: QuestionAnswer): SessionError {
  const message =
    how === "answered"
      ? "This question has been answered already. The first answer counts."
      : "This question is no longer open: its call has ended, or another answer has allowed it.";
  return new SessionError("question_closed", message, first ? { cause: first } : {});
}

/** The rules of an answer "always" could not be written. */
export function rulesNotSaved(error: unknown, { settingsFile, choices }: Permission): SessionError {
  const other = choices.includes("session") ? 'with "remember": "session", or once' : 'once: leave "remember" out';
  const message = `The rule was not saved in ${settingsFile}: ${messageOf(error)} The question is still open. Correct that and answer again, or allow it ${other}.`;
  return new SessionError("rules_not_saved", message, { cause: error });
}

export function questionNotFound(): SessionError {
  const message = "There is no open question with this id. List the open questions, and use the id of one of them.";
  return new SessionError("question_not_found", message);
}
