import type { ApiErrorCode, ApiQuestions } from "../../../core/api.ts";
import type { QuestionAnswer } from "../../../core/question.ts";
import { SessionError, type SessionErrorCode } from "../../../core/session-store.ts";
import { json } from "../../../http/json-response.ts";
import { readJson } from "../../../http/read-json.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

export function listQuestions({ toolbox }: RouteContext): RouteHandler {
  return () => json({ questions: toolbox.sessions.questions() } satisfies ApiQuestions);
}

/** Answers a question. The number of these requests is not limited: a full server waits for answers. */
export function answerQuestion({ toolbox, limits, fail }: RouteContext): RouteHandler {
  return async ({ req, env: { incoming } }) => {
    const body = await readJson(incoming, limits);
    if (body.kind === "invalid") return fail(body.error);
    try {
      // `answer` checks the value.
      await toolbox.sessions.answer(req.param("id") ?? "", body.value as QuestionAnswer);
      return json({ answered: true });
    } catch (error) {
      if (!SessionError.is(error)) throw error;
      return fail({ code: CODES[error.code] ?? "sessions_unavailable", message: error.message });
    }
  };
}

/** Other errors are those of the store, which the client cannot correct. */
const CODES: Partial<Record<SessionErrorCode, ApiErrorCode>> = {
  invalid_answer: "bad_request",
  invalid_event: "bad_request",
  invalid_session_id: "not_found",
  question_not_found: "not_found",
  session_not_found: "not_found",
  session_removed: "not_found",
  question_closed: "conflict",
  conflict: "conflict",
  too_large: "too_large",
};
