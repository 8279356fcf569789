import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { json } from "../../parts/json-response.ts";
import { PageEvents } from "../page/page-events.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** The event stream of the page. */
export function streamEvents({ toolbox, limits, login, closing, fail }: RouteContext): RouteHandler {
  const events = new PageEvents(toolbox, limits, login.renewal);
  closing.addEventListener("abort", () => events.close());
  return ({ env: { incoming, outgoing } }) => {
    if (incoming.method === "HEAD") return json({});
    const refused = events.add(outgoing);
    return refused ? fail(refused) : RESPONSE_ALREADY_SENT;
  };
}
