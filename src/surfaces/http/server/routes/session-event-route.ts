import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { API_ROUTES } from "../../../../core/api-routes.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { valueProblem } from "./check-request.ts";
import { readQuery } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";
import { requireSession, sessionHandler } from "./session-handler.ts";
import { queuePosition } from "./turn-routes.ts";

const ROUTE = "GET /api/sessions/{id}/events";

/** Streams the events of a session. A reader is not a call: it is not limited as calls are, and closing it stops nothing. */
export function streamSession(context: RouteContext): RouteHandler {
  const { toolbox, readers, fail } = context;
  return sessionHandler(context, async ({ req, env: { outgoing } }, store) => {
    if (req.method === "HEAD") return fail(NO_HEAD);
    const read = readQuery(req.url, ROUTE);
    if (read.kind === "invalid") return fail(read.error);
    // A browser that connects again sends the header, with the query of the first request.
    const lastID = req.header("last-event-id") || undefined;
    const problem = headerProblem(lastID);
    if (problem !== undefined) return fail({ code: "bad_request", message: problem });
    const after = Number(lastID ?? read.query.after ?? 0);
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
  const schema = API_ROUTES[ROUTE].headers["Last-Event-ID"];
  const problem = lastID === undefined ? undefined : valueProblem(lastID, schema);
  return problem === undefined ? undefined : `The header "Last-Event-ID" ${problem}.`;
}

function beyondEnd(after: number, position: number): ErrorResponse {
  const message = `The session has no event ${after}: its last one is ${position}. Send the id of the last event that you received, or 0 for all.`;
  return { code: "bad_request", message };
}
