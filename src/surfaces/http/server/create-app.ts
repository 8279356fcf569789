import { Hono } from "hono";
import type { ErrorResponse } from "../parts/error-response.ts";
import type { RequestGuard } from "../parts/guards/guard.ts";
import type { App, RouteContext, Routes } from "./routes/route-context.ts";

/** Creates the app with its routes, and the responses for requests that no route serves. */
export function createApp(addRoutes: Routes, context: RouteContext, onError: (error: Error) => void): App {
  const app: App = new Hono();
  addRoutes(app, context);
  app.notFound(({ req: { method, path } }) => context.fail(noRoute(app, method, path)));
  app.onError((error) => {
    onError(error);
    return context.fail({ code: "failed", message: "The server failed to handle this request. Its stderr says why." });
  });
  return app;
}

const METHODS = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** Refuses methods that no route has. */
export function methodGuard(app: App): RequestGuard {
  return ({ method = "", url = "" }) => {
    if (METHODS.has(method)) return undefined;
    const [path = ""] = url.split("?");
    return noRoute(app, method, path);
  };
}

function noRoute(app: App, method: string, path: string): ErrorResponse {
  const hasRoute = (each: string, where = path): boolean => app.router.match(each, where)[0].length > 0;
  const allow = ["GET", "POST", "DELETE"].filter((each) => hasRoute(each)).join(", ");
  if (allow !== "") {
    return { code: "method_not_allowed", message: `${method} is not served there. Use ${allow}.`, headers: { allow } };
  }
  const hint = hasRoute("GET", "/openapi.json") ? "GET /openapi.json lists the routes." : "MCP is served at /mcp.";
  return { code: "not_found", message: `There is no route ${JSON.stringify(path)}. ${hint}` };
}
