import type { ApiProblems } from "../../../../core/api.ts";
import type { RouteName } from "../../../../core/api-routes.ts";
import { json, textResponse } from "../../parts/json-response.ts";
import { openapiDocument } from "../openapi-document.ts";
import { listCallRecords, summarizeCallRecords } from "./call-routes.ts";
import { streamEvents } from "./event-route.ts";
import { logIn, logOut } from "./login-routes.ts";
import { handleMcp } from "./mcp-route.ts";
import { getOutput } from "./output-route.ts";
import { explainCall, getPermissions, listAnswers, removePermission } from "./permission-routes.ts";
import { answerQuestion, listQuestions } from "./question-routes.ts";
import type { RouteContext, RouteHandler, Routes } from "./route-context.ts";
import { runTool } from "./run-route.ts";
import { streamSession } from "./session-event-route.ts";
import { exportSessionFile } from "./session-export-route.ts";
import {
  answerInSession,
  branchSession,
  cancelSession,
  getSession,
  listSessions,
  removeGrant,
  removeSession,
} from "./session-routes.ts";
import { getCatalog, getTool, listTools, reloadTools, renderCall } from "./tool-routes.ts";
import { createSession, sendMessage } from "./turn-routes.ts";

/** The handler of each route of the contract, besides those of `mcpRoutes`. */
const HANDLERS: Readonly<Record<Exclude<RouteName, "GET /healthz">, (context: RouteContext) => RouteHandler>> = {
  "GET /openapi.json": () => () => json(openapiDocument()),
  "GET /api/tools": listTools,
  "GET /api/tools/{name}": getTool,
  "POST /api/tools/{name}/run": runTool,
  "POST /api/tools/{name}/render": renderCall,
  "POST /api/tools/reload": reloadTools,
  "GET /api/problems": (context) => async () => json(await problemsOf(context)),
  "GET /api/questions": listQuestions,
  "POST /api/questions/{id}": answerQuestion,
  "GET /api/sessions": listSessions,
  "POST /api/sessions": createSession,
  "GET /api/sessions/{id}": getSession,
  "DELETE /api/sessions/{id}": removeSession,
  "POST /api/sessions/{id}/messages": sendMessage,
  "POST /api/sessions/{id}/cancel": cancelSession,
  "POST /api/sessions/{id}/branch": branchSession,
  "POST /api/sessions/{id}/questions/{question}": answerInSession,
  "POST /api/sessions/{id}/grants/remove": removeGrant,
  "GET /api/sessions/{id}/export": exportSessionFile,
  "GET /api/sessions/{id}/events": streamSession,
  "POST /api/login": logIn,
  "POST /api/logout": logOut,
  "GET /api/catalog": getCatalog,
  "GET /api/calls": listCallRecords,
  "GET /api/calls/summary": summarizeCallRecords,
  "GET /api/agents": (context) => async () => json(await context.agents()),
  "GET /api/permissions": getPermissions,
  "GET /api/permissions/answers": listAnswers,
  "POST /api/permissions/explain": explainCall,
  "POST /api/permissions/remove": removePermission,
  "GET /api/outputs": getOutput,
  "GET /api/events": streamEvents,
};

/** The routes of `toolwright mcp --http`. */
export const mcpRoutes: Routes = (app, context) => {
  app.get("/healthz", () => json({ status: "ok" }));
  if (context.mcp) app.on(["GET", "POST", "DELETE"], "/mcp", handleMcp(context, context.mcp));
};

/** The routes of `toolwright serve`. */
export const allRoutes: Routes = (app, context) => {
  mcpRoutes(app, context);
  for (const [route, create] of Object.entries(HANDLERS)) {
    const [method = "", path = ""] = route.replace(/\{(\w+)\}/g, ":$1").split(" ");
    app.on(method, path, create(context));
  }
  app.get("/metrics", () => textResponse(metricsOf(context), "text/plain; version=0.0.4; charset=utf-8"));
};

function metricsOf({ metrics, mcp, turns, readers, toolbox }: RouteContext): string {
  const waiting = toolbox.sessions.queue.length;
  const running = Math.max(0, turns.size - waiting);
  return metrics.text({ mcpSessions: mcp?.sessions ?? 0, turns: { running, waiting }, readers: readers.count });
}

async function problemsOf({ toolbox }: RouteContext): Promise<ApiProblems> {
  await toolbox.ready();
  const { shadowed, blocked, warnings } = toolbox.status;
  return { problems: toolbox.problems(), shadowed, blocked, warnings };
}
