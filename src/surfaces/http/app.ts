import { Hono } from "hono";
import type { Refusal } from "./refusal.ts";
import type { App, Routes, Services } from "./routes/routes.ts";

/** The routes together, and what is answered where there is none. */
export function createApp(routes: readonly Routes[], services: Services, onError: (error: Error) => void): App {
  const app: App = new Hono();
  for (const add of routes) add(app, services);
  app.notFound(({ req: { method, path } }) => services.refuse(nothingAt(app, method, path)));
  app.onError((error) => {
    onError(error);
    return services.refuse({ code: "failed", message: "The server failed at this request. What it printed says why." });
  });
  return app;
}

/** What is said where nothing is served, or nothing by that method. */
export function nothingAt(app: App, method: string, path: string): Refusal {
  const isThere = (each: string, where = path): boolean => app.router.match(each, where)[0].length > 0;
  const allow = ["GET", "POST", "DELETE"].filter((each) => isThere(each)).join(", ");
  if (allow !== "") {
    return { code: "method_not_allowed", message: `${method} is not served there. Use ${allow}.`, headers: { allow } };
  }
  const hint = isThere("GET", "/openapi.json") ? "GET /openapi.json says what there is." : "MCP is served at /mcp.";
  return { code: "not_found", message: `There is nothing at ${JSON.stringify(path)}. ${hint}` };
}
