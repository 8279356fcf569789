import type { Context } from "hono";
import type { RouteBody, RouteName } from "../../../../core/api-routes.ts";
import type { SessionInfo } from "../../../../core/session-log.ts";
import { SessionError, type SessionStore } from "../../../../core/session-store.ts";
import { isSessionID } from "../../../../sessions/log/session-id.ts";
import { readJsonBody } from "./read-request.ts";
import type { RouteContext, RouteEnvironment, RouteHandler } from "./route-context.ts";
import { sessionRefusal } from "./session-refusal.ts";

/** A handler that uses the sessions on disk. Their errors, and those of agents, are error responses. */
export function sessionHandler(
  { toolbox, fail }: RouteContext,
  handle: (request: Context<RouteEnvironment>, store: SessionStore) => Promise<Response>,
): RouteHandler {
  return async (request) => {
    try {
      return await handle(request, await toolbox.sessions.store());
    } catch (error) {
      const refusal = sessionRefusal(error);
      if (!refusal) throw error;
      return fail(refusal);
    }
  };
}

/** A handler with a body. Its problems are error responses. */
export function sessionBodyHandler<R extends RouteName>(
  context: RouteContext,
  route: R,
  handle: (request: Context<RouteEnvironment>, body: RouteBody<R>, store: SessionStore) => Promise<Response>,
): RouteHandler {
  const { limits, fail } = context;
  // The body is read first: an unread one would stop Node from reading the connection.
  return async (request, next) => {
    const read = await readJsonBody(request.env.incoming, limits, route);
    if (read.kind === "invalid") return fail(read.error);
    return sessionHandler(context, (same, store) => handle(same, read.body, store))(request, next);
  };
}

/** Throws if the project has no such session. */
export async function requireSession(store: SessionStore, id: string | undefined): Promise<SessionInfo> {
  const info = isSessionID(id) ? await store.get(id) : undefined;
  if (info) return info;
  throw new SessionError(
    "session_not_found",
    `There is no session ${JSON.stringify(id)} in this project. GET /api/sessions lists the sessions.`,
  );
}
