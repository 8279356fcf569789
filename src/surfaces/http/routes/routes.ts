import type { ApiProblems } from "../../../core/api.ts";
import { json, textResponse } from "../../../http/json-response.ts";
import { openapiDocument } from "../openapi-document.ts";
import { handleMcp } from "./mcp-route.ts";
import { answerQuestion, listQuestions } from "./question-routes.ts";
import type { RouteContext, Routes } from "./route-context.ts";
import { runTool } from "./run-route.ts";
import { getTool, listTools, reloadTools } from "./tool-routes.ts";

/** The routes of `toolwright mcp --http`. */
export const mcpRoutes: Routes = (app, context) => {
  // The only route without a token.
  app.get("/healthz", () => json({ status: "ok" }));
  if (context.mcp) app.on(["GET", "POST", "DELETE"], "/mcp", handleMcp(context, context.mcp));
};

/** The routes of `toolwright serve`. */
export const allRoutes: Routes = (app, context) => {
  const { metrics, mcp } = context;
  mcpRoutes(app, context);
  app.get("/api/tools", listTools(context));
  app.get("/api/tools/:name", getTool(context));
  app.post("/api/tools/:name/run", runTool(context));
  app.post("/api/tools/reload", reloadTools(context));
  app.get("/api/questions", listQuestions(context));
  app.post("/api/questions/:id", answerQuestion(context));
  app.get("/api/problems", async () => json(await problemsOf(context)));
  app.get("/openapi.json", () => json(openapiDocument()));
  app.get("/metrics", () => textResponse(metrics.text(mcp?.sessions ?? 0), "text/plain; version=0.0.4; charset=utf-8"));
};

async function problemsOf({ toolbox }: RouteContext): Promise<ApiProblems> {
  await toolbox.ready();
  const { shadowed, blocked, warnings } = toolbox.status;
  return { problems: toolbox.problems(), shadowed, blocked, warnings };
}
