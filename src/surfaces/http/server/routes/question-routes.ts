import type { ApiQuestions } from "../../../../core/api.ts";
import type { QuestionAnswer } from "../../../../core/question.ts";
import { json } from "../../parts/json-response.ts";
import { readJson } from "../../parts/read-json.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { sessionRefusal } from "./session-refusal.ts";

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
      const refusal = sessionRefusal(error);
      if (!refusal) throw error;
      return fail(refusal);
    }
  };
}
