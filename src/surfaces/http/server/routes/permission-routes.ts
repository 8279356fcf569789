import type { ApiErrorCode } from "../../../../core/api.ts";
import type { ApiGivenAnswers } from "../../../../core/api-page.ts";
import type { ToolErrorCode } from "../../../../core/error.ts";
import { GivenAnswers } from "../../../../toolbox/given-answers.ts";
import { explanationView, permissionsOf } from "../../../../toolbox/permission-view.ts";
import { removeUserRule } from "../../../../toolbox/remove-user-rule.ts";
import { json } from "../../parts/json-response.ts";
import { readJsonBody } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { sessionHandler } from "./session-handler.ts";

export function getPermissions({ toolbox, command }: RouteContext): RouteHandler {
  return () => json(permissionsOf(toolbox.project, command));
}

/** Lists the answers that people have given in the sessions of the project. */
export function listAnswers(context: RouteContext): RouteHandler {
  const given = new GivenAnswers(context.toolbox);
  return sessionHandler(context, async () => json({ answers: await given.list() } satisfies ApiGivenAnswers));
}

/** Explains the decision of the rules on a call. It may import the file of the tool, so it counts as a call. */
export function explainCall({ toolbox, admission, limits, fail }: RouteContext): RouteHandler {
  return async ({ env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const read = await readJsonBody(incoming, limits, "POST /api/permissions/explain");
    if (read.kind === "invalid") return fail(read.error);
    const { tool, ...request } = read.body;
    const closed = new AbortController();
    outgoing.once("close", () => closed.abort());
    const explained = await toolbox.explain({ ...request, name: tool, signal: closed.signal });
    if (explained.ok) return json(explanationView(explained, toolbox.project));
    const { code, message } = explained.error;
    return fail({ code: CODES[code] ?? "failed", message });
  };
}

const CODES: Partial<Record<ToolErrorCode, ApiErrorCode>> = {
  unknown_tool: "not_found",
  invalid_input: "bad_request",
  denied: "denied",
  timeout: "timeout",
};

/** Removes a rule from the user's settings. It no longer applies when the response is sent. */
export function removePermission({ toolbox, limits, fail }: RouteContext): RouteHandler {
  return async ({ env: { incoming } }) => {
    const read = await readJsonBody(incoming, limits, "POST /api/permissions/remove");
    if (read.kind === "invalid") return fail(read.error);
    const { position, ...rule } = read.body;
    const conflict = await removeUserRule(toolbox, position, rule);
    return conflict === undefined ? json({ removed: true }) : fail({ code: "conflict", message: conflict });
  };
}
