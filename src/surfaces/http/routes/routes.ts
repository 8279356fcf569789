import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { Admission } from "../admission.ts";
import type { HttpLimits } from "../limits.ts";
import type { McpEndpoint } from "../mcp-endpoint.ts";
import type { Metrics } from "../metrics.ts";
import type { Refusal } from "../refusal.ts";

/** What routes are given to work with. */
export interface Services {
  readonly toolbox: Toolbox;
  readonly limits: HttpLimits;
  readonly admission: Admission;
  readonly metrics: Metrics;
  /** Fires when what is still running has to end. */
  readonly stopping: AbortSignal;
  /** The answer to what is not served; it is counted. */
  refuse(refusal: Refusal): Response;
  /** There where MCP is served. */
  readonly mcp?: McpEndpoint;
}

export type App = Hono<{ Bindings: HttpBindings }>;

/** Adds paths to the server. Whatever reaches them has passed the guards. */
export type Routes = (app: App, services: Services) => void;
