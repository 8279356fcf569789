import { SAFE_HEADERS } from "../refusal.ts";
import type { Routes } from "./routes.ts";

/** Numbers for Prometheus. */
export const metricsRoutes: Routes = (app, { metrics, mcp }) => {
  const headers = { ...SAFE_HEADERS, "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  app.get("/metrics", () => new Response(metrics.text(mcp?.sessions ?? 0), { headers }));
};
