import type { ApiProblems } from "../../../core/api.ts";
import { json, textResponse } from "../../../http/json-response.ts";
import { openapiDocument } from "../openapi-document.ts";
import { handleMcp } from "./mcp-route.ts";
import { pageRoutes } from "./page-routes.ts";
import { answerQuestion, listQuestions } from "./question-routes.ts";
import type { RouteContext, Routes } from "./route-context.ts";
import { runTool } from "./run-route.ts";
import { sessionRoutes } from "./session-routes.ts";
import { getTool, listTools, reloadTools } from "./tool-routes.ts";

/** The routes of `toolwright mcp --http`. */
export const mcpRoutes: Routes = (app, context) => {
  app.get("/healthz", () => json({ status: "ok" }));
  if (context.mcp) app.on(["GET", "POST", "DELETE"], "/mcp", handleMcp(context, context.mcp));
};

/** The routes of `toolwright serve`. */
export const allRoutes: Routes = (app, context) => {
  mcpRoutes(app, context);
  app.get("/api/tools", listTools(context));
  app.get("/api/tools/:name", getTool(context));
  app.post("/api/tools/:name/run", runTool(context));
  app.post("/api/tools/reload", reloadTools(context));
  app.get("/api/questions", listQuestions(context));
  app.post("/api/questions/:id", answerQuestion(context));
  sessionRoutes(app, context);
  pageRoutes(app, context);
  app.get("/api/problems", async () => json(await problemsOf(context)));
  app.get("/openapi.json", () => json(openapiDocument()));
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
