import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { toPlain } from "../../../core/plain-result.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Run } from "../../../pipeline/call.ts";
import { EventStream } from "../event-stream.ts";
import { json } from "../json-response.ts";
import { readJson } from "../read-json.ts";
import { readRun } from "../run-request.ts";
import type { Routes, Services } from "./routes.ts";

/** Calls a tool: the result as JSON, or, to who accepts it, a stream of events with the result last. */
export const runRoutes: Routes = (app, services) => {
  app.post("/api/tools/:name/run", async ({ req, env: { incoming, outgoing } }) => {
    const refusal = services.admission.admit(outgoing);
    if (refusal) return services.refuse(refusal);
    const body = await readJson(incoming, services.limits);
    if (body.kind === "refused") return services.refuse(body.refusal);
    const asked = readRun(body.value);
    if (asked.kind === "refused") return services.refuse(asked.refusal);
    const run = services.toolbox.call({ ...asked.request, name: req.param("name") });
    abortWhenGone(run, outgoing, services);
    if (req.header("accept")?.includes("text/event-stream")) return stream(run, outgoing, services);
    return answer(await run.result);
  });
};

function answer(result: ToolResult): Response {
  return json(toPlain(result), statusOf(result));
}

/** A call that was made has been served, however it ended. */
function statusOf(result: ToolResult): number {
  if (result.ok) return 200;
  switch (result.error.code) {
    case "invalid_input":
      return 400;
    case "denied":
      return 403;
    case "unknown_tool":
      return 404;
    default:
      return 200;
  }
}

function abortWhenGone(run: Run, outgoing: ServerResponse, { stopping }: Services): void {
  const abort = (): void => run.abort();
  stopping.addEventListener("abort", abort, { once: true });
  outgoing.once("close", () => {
    stopping.removeEventListener("abort", abort);
    if (!outgoing.writableFinished) abort();
  });
  if (stopping.aborted || outgoing.destroyed) abort();
}

/** A call that is refused before it has shown anything is answered like any other. */
async function stream(run: Run, outgoing: ServerResponse, { limits }: Services): Promise<Response> {
  const events = new EventStream(outgoing, limits.heartbeatMs);
  for await (const event of run) {
    if (event.type === "tool.start") events.hold(event.type, event);
    if (event.type === "tool.update") events.sendNews(event.type, event);
    if (event.type !== "tool.complete" && event.type !== "tool.failed") continue;
    const { result, ...end } = event;
    if (!events.hasBegun && statusOf(result) !== 200) {
      events.stop();
      return answer(result);
    }
    events.send(event.type, end);
    events.send("result", toPlain(result));
  }
  events.end();
  return RESPONSE_ALREADY_SENT;
}
