import type { Routes } from "../services.ts";
import { healthRoutes } from "./health.ts";
import { mcpRoutes } from "./mcp.ts";
import { metricsRoutes } from "./metrics.ts";
import { openapiRoutes } from "./openapi.ts";
import { problemRoutes } from "./problems.ts";
import { runRoutes } from "./run.ts";
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
