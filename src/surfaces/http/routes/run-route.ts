import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ApiRunRequest } from "../../../core/api.ts";
import { isObject } from "../../../core/is-object.ts";
import { toPlain } from "../../../core/plain-result.ts";
import type { RunEvent } from "../../../core/question.ts";
import type { ToolResult } from "../../../core/result.ts";
import { recordingProblem } from "../../../core/session-id.ts";
import { SessionError } from "../../../core/session-store.ts";
import type { ErrorResponse } from "../../../http/error-response.ts";
import { EventStream } from "../../../http/event-stream.ts";
import { json } from "../../../http/json-response.ts";
import { readJson } from "../../../http/read-json.ts";
import type { Run } from "../../../pipeline/call.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Calls a tool. Responds with the result as JSON or, if the client accepts it, with an event stream that ends with it. */
export function runTool(context: RouteContext): RouteHandler {
  const { toolbox, admission, limits, fail } = context;
  return async ({ req, env: { incoming, outgoing } }) => {
    const refused = admission.admit(outgoing);
    if (refused) return fail(refused);
    const body = await readJson(incoming, limits);
    if (body.kind === "invalid") return fail(body.error);
    const parsed = parseRunRequest(body.value);
    if (parsed.kind === "invalid") return fail(parsed.error);
    const streams = req.header("accept")?.includes("text/event-stream") ?? false;
    const { answerable = streams, ...request } = parsed.request;
    if (answerable && !streams) return fail(NEEDS_STREAM);
    const name = req.param("name") ?? "";
    const { sessionID } = request;
    const unavailable = sessionID === undefined ? undefined : await openSession(sessionID, name, toolbox);
    if (unavailable) return fail(unavailable);
    const run = toolbox.call({ ...request, name, answerable });
    abortOnClose(run, outgoing, context);
    return streams ? streamRun(run, answerable, outgoing, context) : toResponse(await run.result);
  };
}

const NEEDS_STREAM: ErrorResponse = {
  code: "bad_request",
  message:
    '"answerable" needs an event stream, which sends the questions. Add the header "Accept: text/event-stream", or leave "answerable" out.',
};

type ParsedRunRequest =
  | { readonly kind: "valid"; readonly request: ApiRunRequest }
  | { readonly kind: "invalid"; readonly error: ErrorResponse };

/** A missing body is a call without arguments. */
function parseRunRequest(body: unknown = {}): ParsedRunRequest {
  if (!isObject(body)) return invalid('The body must be an object: { "input": { … } }.');
  for (const [key, value] of Object.entries(body)) {
    const check = Object.hasOwn(FIELD_CHECKS, key) ? FIELD_CHECKS[key as keyof ApiRunRequest] : undefined;
    if (!check) {
      const known = Object.keys(FIELD_CHECKS).join(", ");
      return invalid(`There is no field ${JSON.stringify(key)}. Arguments go into "input". Fields: ${known}.`);
    }
    const fault = check(value);
    if (fault !== undefined) return invalid(`"${key}" ${fault}.`);
  }
  return { kind: "valid", request: body };
}

const FIELD_CHECKS: Readonly<Record<keyof ApiRunRequest, (value: unknown) => string | undefined>> = {
  input: (value) => (isObject(value) ? undefined : "must be an object: the arguments of the tool"),
  sessionID: recordingProblem,
  agent: checkShortText,
  timeoutMs: (value) => (Number.isFinite(value) && Number(value) > 0 ? undefined : "must be a number above 0"),
  answerable: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
};

function checkShortText(value: unknown): string | undefined {
  return typeof value === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(value) ? undefined : SHORT_TEXT;
}

const SHORT_TEXT = "must be a string of 1 to 200 characters";

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

function invalid(message: string): ParsedRunRequest {
  return { kind: "invalid", error: { code: "bad_request", message } };
}

function toResponse(result: ToolResult): Response {
  return json(toPlain(result), statusOf(result));
}

/** A call that ran has status 200, also if it failed. */
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
  { limits }: RouteContext,
): Promise<Response> {
  const events = new EventStream(outgoing, limits.heartbeatMs);
  for await (const event of run) {
    if (event.type === "tool.start") events.sendWithNext(event.type, event);
    if (event.type === "tool.update") events.sendLatest(event.type, event);
    if (answerable && isQuestion(event)) events.send(event.type, event);
    if (event.type !== "tool.complete" && event.type !== "tool.failed") continue;
    const { result, ...end } = event;
    if (!events.hasBegun && statusOf(result) !== 200) {
      events.stop();
      return toResponse(result);
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
