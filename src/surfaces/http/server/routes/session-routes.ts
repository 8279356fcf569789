import type {
  ApiCancelled,
  ApiSession,
  ApiSessionCreated,
  ApiSessionDetails,
  ApiSessions,
} from "../../../../core/api-sessions.ts";
import type { QuestionAnswer } from "../../../../core/question.ts";
import type { SessionInfo } from "../../../../core/session-log.ts";
import { defined } from "../../../../platform/values/defined.ts";
import { assertAskedIn } from "../../../../sessions/asked-questions.ts";
import type { Toolbox } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { json } from "../../parts/json-response.ts";
import { readJson } from "../../parts/read-json.ts";
import { readQuery } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionBodyHandler, sessionHandler } from "./session-handler.ts";
import { queuePosition } from "./turn-routes.ts";

export function listSessions(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionHandler(context, async ({ req }, store) => {
    const read = readQuery(req.url, "GET /api/sessions");
    if (read.kind === "invalid") return fail(read.error);
    const { sessions, next } = await store.list(read.query);
    const page = { sessions: sessions.map((info) => toApiSession(info, toolbox)), ...defined({ next }) };
    return json(page satisfies ApiSessions);
  });
}

export function getSession(context: RouteContext): RouteHandler {
  const { toolbox } = context;
  return sessionHandler(context, async ({ req }, store) => {
    const info = await requireSession(store, req.param("id"));
    const { mode, tools, grants } = await toolbox.sessions.choices(info.id);
    const options = defined({ permissionMode: mode, tools });
    return json({ ...toApiSession(info, toolbox), ...options, grants } satisfies ApiSessionDetails);
  });
}

export function cancelSession(context: RouteContext): RouteHandler {
  const { toolbox } = context;
  return sessionBodyHandler(context, "POST /api/sessions/{id}/cancel", async ({ req }, request, store) => {
    const { id, status, openCalls } = await requireSession(store, req.param("id"));
    const runs = status === "running" || status === "waiting";
    const cancelled = request.callID === undefined ? runs : openCalls.includes(request.callID);
    if (cancelled) await toolbox.sessions.cancel(id, request);
    return json({ cancelled } satisfies ApiCancelled);
  });
}

export function branchSession(context: RouteContext): RouteHandler {
  const { toolbox } = context;
  return sessionBodyHandler(context, "POST /api/sessions/{id}/branch", async ({ req }, request, store) => {
    const { id } = await requireSession(store, req.param("id"));
    const branch = await toolbox.sessions.branch(id, request);
    return json({ id: branch.id } satisfies ApiSessionCreated, 201);
  });
}

export function removeSession(context: RouteContext): RouteHandler {
  const { toolbox } = context;
  return sessionHandler(context, async ({ req }, store) => {
    const { id } = await requireSession(store, req.param("id"));
    await toolbox.sessions.remove(id);
    return json({ removed: true });
  });
}

/** Answers a question of this session or of its sub-agents only: another one may belong to another client. */
export function answerInSession(context: RouteContext): RouteHandler {
  const { toolbox, limits, fail } = context;
  return async (request, next) => {
    const body = await readJson(request.env.incoming, limits);
    if (body.kind === "invalid") return fail(body.error);
    return sessionHandler(context, async ({ req }, store) => {
      const session = await requireSession(store, req.param("id"));
      const questionID = req.param("question") ?? "";
      await assertAskedIn(store, session, questionID);
      // `answer` checks the value.
      await toolbox.sessions.answer(questionID, body.value as QuestionAnswer);
      return json({ answered: true });
    })(request, next);
  };
}

export function removeGrant(context: RouteContext): RouteHandler {
  const { toolbox, fail } = context;
  return sessionBodyHandler(context, "POST /api/sessions/{id}/grants/remove", async ({ req }, rule, store) => {
    const { id } = await requireSession(store, req.param("id"));
    const removed = await toolbox.sessions.revoke(id, rule);
    return removed ? json({ removed: true }) : fail(NO_GRANT);
  });
}

const NO_GRANT: ErrorResponse = {
  code: "not_found",
  message: "This rule is not granted for the session. GET the session: its grants are listed there.",
};

function toApiSession(info: SessionInfo, toolbox: Toolbox): ApiSession {
  const {
    id,
    directory,
    title,
    agent,
    model,
    status,
    createdAt,
    updatedAt,
    position,
    openQuestions,
    parent,
    branchOf,
  } = info;
  const known = { id, directory, status, createdAt, updatedAt, position, openQuestions };
  return { ...known, ...defined({ title, agent, model, parent, branchOf }), ...queuePosition(id, toolbox) };
}
