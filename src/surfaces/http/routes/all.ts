import { healthRoutes } from "./health.ts";
import { mcpRoutes } from "./mcp-route.ts";
import { metricsRoutes } from "./metrics-route.ts";
import { openapiRoutes } from "./openapi.ts";
import { problemRoutes } from "./problems-route.ts";
import type { Routes } from "./routes.ts";
import { runRoutes } from "./run-route.ts";
import { toolRoutes } from "./tools.ts";

/** What `toolwright mcp --http` serves. */
export const MCP_ROUTES: readonly Routes[] = [healthRoutes, mcpRoutes];

/** What `toolwright serve` serves. */
export const ALL_ROUTES: readonly Routes[] = [
  ...MCP_ROUTES,
  toolRoutes,
  runRoutes,
  problemRoutes,
  openapiRoutes,
  metricsRoutes,
];
