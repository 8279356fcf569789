import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ErrorResponse } from "../../../http/error-response.ts";
import { queryProblem } from "./body-fields.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionHandler } from "./session-handler.ts";
import { EVENTS_QUERY, positionProblem } from "./session-requests.ts";
import { queuePosition } from "./turn-routes.ts";

/** Streams the events of a session. A reader is not a call: it is not limited as calls are, and closing it stops nothing. */
export function streamSession(context: RouteContext): RouteHandler {
  const { toolbox, readers, fail } = context;
  return sessionHandler(context, async ({ req, env: { outgoing } }, store) => {
    if (req.method === "HEAD") return fail(NO_HEAD);
    const query = new URL(req.url).searchParams;
    // A browser that connects again sends the header, with the query of the first request.
    const lastID = req.header("last-event-id") || undefined;
    const problem = queryProblem(query, EVENTS_QUERY) ?? headerProblem(lastID);
    if (problem !== undefined) return fail({ code: "bad_request", message: problem });
    const after = Number(lastID ?? query.get("after") ?? 0);
    const { id, position } = await requireSession(store, req.param("id"));
    if (after > position) return fail(beyondEnd(after, position));
    const refusal = readers.refusal(id);
    if (refusal) return fail(refusal);
    const place = (): number | undefined => queuePosition(id, toolbox).queuePosition;
    void readers.serve(outgoing, { store, sessionID: id, after, last: position, place });
    return RESPONSE_ALREADY_SENT;
  });
}

const NO_HEAD: ErrorResponse = {
  code: "method_not_allowed",
  message: "HEAD is not served there. Use GET.",
  headers: { allow: "GET" },
};

function headerProblem(lastID: string | undefined): string | undefined {
  const problem = lastID === undefined ? undefined : positionProblem(lastID);
  return problem === undefined ? undefined : `The header "Last-Event-ID" ${problem}.`;
}

function beyondEnd(after: number, position: number): ErrorResponse {
  const message = `The session has no event ${after}: its last one is ${position}. Send the id of the last event that you received, or 0 for all.`;
  return { code: "bad_request", message };
}
