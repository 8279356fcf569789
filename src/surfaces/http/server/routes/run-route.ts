import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Run } from "../../../../calls/call.ts";
import type { ToolError } from "../../../../core/error.ts";
import { toPlain } from "../../../../core/plain-result.ts";
import type { RunEvent } from "../../../../core/question.ts";
import type { ToolResult } from "../../../../core/result.ts";
import { SessionError } from "../../../../core/session-store.ts";
import type { Toolbox } from "../../../../toolbox/toolbox.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import { EventStream } from "../../parts/event-stream.ts";
import { bearerOf } from "../../parts/guards/token-guard.ts";
import { json } from "../../parts/json-response.ts";
import { readJsonBody } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Calls a tool. Responds with the result as JSON or, if the client accepts it, with an event stream that ends with it. */
export function runTool(context: RouteContext): RouteHandler {
  const { toolbox, admission, limits, fail } = context;
  return async ({ req, env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const read = await readJsonBody(incoming, limits, "POST /api/tools/{name}/run");
    if (read.kind === "invalid") return fail(read.error);
    const streams = req.header("accept")?.includes("text/event-stream") ?? false;
    const { answerable = streams, ...request } = read.body;
    if (answerable && !streams) return fail(NEEDS_STREAM);
    const name = req.param("name") ?? "";
    const { sessionID } = request;
    const unavailable = sessionID === undefined ? undefined : await openSession(sessionID, name, toolbox);
    if (unavailable) return fail(unavailable);
    const caller = bearerOf(incoming) === undefined ? "page" : "http";
    const run = toolbox.call({ ...request, name, caller, answerable });
    abortOnClose(run, outgoing, context);
    return streams ? streamRun(run, answerable, outgoing, context) : toResponse(await run.result, context);
  };
}

const NEEDS_STREAM: ErrorResponse = {
  code: "bad_request",
  message:
    '"answerable" needs an event stream, which sends the questions. Add the header "Accept: text/event-stream", or leave "answerable" out.',
};

/** Opens the session of a call, so that it is recorded. The call of an unknown tool creates no session. */
async function openSession(sessionID: string, name: string, toolbox: Toolbox): Promise<ErrorResponse | undefined> {
  try {
    const tool = await toolbox.find(name);
    if (tool?.enabled) await toolbox.sessions.open(sessionID);
    return undefined;
  } catch (error) {
    if (!SessionError.is(error)) throw error;
    return { code: "sessions_unavailable", message: error.message };
  }
}

function toResponse(result: ToolResult, { fail }: RouteContext): Response {
  if (result.ok || !isUnrecorded(result.error)) return json(toPlain(result), statusOf(result));
  return fail({ code: "sessions_unavailable", message: result.error.message });
}

/** Whether the tool was not called because its session could not be written. */
function isUnrecorded({ code, cause }: ToolError): boolean {
  return code === "failed" && SessionError.is(cause);
}

/** A call that ran has status 200, also if it failed. */
function statusOf(result: ToolResult): number {
  if (result.ok) return 200;
  if (isUnrecorded(result.error)) return 503;
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

function abortOnClose(run: Run, outgoing: ServerResponse, { stopping }: RouteContext): void {
  const abort = (): void => run.abort();
  stopping.addEventListener("abort", abort, { once: true });
  outgoing.once("close", () => {
    stopping.removeEventListener("abort", abort);
    if (!outgoing.writableFinished) abort();
  });
  if (stopping.aborted || outgoing.destroyed) abort();
}

/** A call that is refused before its first update or question is answered with JSON and its status. */
async function streamRun(
  run: Run,
  answerable: boolean,
  outgoing: ServerResponse,
  context: RouteContext,
): Promise<Response> {
  const events = new EventStream(outgoing, context.limits.heartbeatMs);
  for await (const event of run) {
    if (event.type === "tool.start") events.sendWithNext(event.type, event);
    if (event.type === "tool.update") events.sendLatest(event.type, event);
    if (answerable && isQuestion(event)) events.send(event.type, event);
    if (event.type !== "tool.complete" && event.type !== "tool.failed") continue;
    const { result, ...end } = event;
    if (!events.hasBegun && statusOf(result) !== 200) {
      events.stop();
      return toResponse(result, context);
    }
    events.send(event.type, end);
    events.send("result", toPlain(result));
  }
  events.end();
  return RESPONSE_ALREADY_SENT;
}

function isQuestion({ type }: RunEvent): boolean {
  return type === "question.asked" || type === "question.answered";
}
