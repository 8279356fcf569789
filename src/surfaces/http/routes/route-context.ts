import type { HttpBindings } from "@hono/node-server";
import type { Handler, Hono } from "hono";
import type { ErrorResponse } from "../../../http/error-response.ts";
import type { McpEndpoint } from "../../../mcp/http/mcp-endpoint.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { CallLimiter } from "../call-limiter.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { Metrics } from "../metrics.ts";

/** The objects that the handlers of routes use. */
export interface RouteContext {
  readonly toolbox: Toolbox;
  readonly limits: HttpLimits;
  readonly admission: CallLimiter;
  readonly metrics: Metrics;
  /** Aborts when running calls must end because the server stops. */
  readonly stopping: AbortSignal;
  /** Creates the response for an error, and counts it in the metrics. */
  fail(error: ErrorResponse): Response;
  /** Undefined if the server was started without an MCP protocol. */
  readonly mcp?: McpEndpoint;
}

interface Environment {
  readonly Bindings: HttpBindings;
}

export type App = Hono<Environment>;

export type RouteHandler = Handler<Environment>;

/** Adds routes to the app. The guards have checked every request that reaches a route. */
export type Routes = (app: App, context: RouteContext) => void;
