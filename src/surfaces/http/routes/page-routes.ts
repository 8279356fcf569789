import { json } from "../../../http/json-response.ts";
import { listCallRecords, summarizeCallRecords } from "./call-routes.ts";
import { getCatalog } from "./catalog-route.ts";
import { streamEvents } from "./event-route.ts";
import { logIn, logOut } from "./login-routes.ts";
import { getOutput } from "./output-route.ts";
import { explainCall, getPermissions, listAnswers, removePermission } from "./permission-routes.ts";
import { renderCall } from "./render-route.ts";
import type { Routes } from "./route-context.ts";

/** The routes that the page needs besides those of tools and sessions. */
export const pageRoutes: Routes = (app, context) => {
  app.post("/api/login", logIn(context));
  app.post("/api/logout", logOut(context));
  app.get("/api/catalog", getCatalog(context));
  app.get("/api/calls", listCallRecords(context));
  app.get("/api/calls/summary", summarizeCallRecords(context));
  app.get("/api/agents", async () => json(await context.agents()));
  app.get("/api/permissions", getPermissions(context));
  app.get("/api/permissions/answers", listAnswers(context));
  app.post("/api/permissions/explain", explainCall(context));
  app.post("/api/permissions/remove", removePermission(context));
  app.post("/api/tools/:name/render", renderCall(context));
  app.get("/api/outputs", getOutput(context));
  app.get("/api/events", streamEvents(context));
};
