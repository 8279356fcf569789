import type { HttpBindings } from "@hono/node-server";
import type { Handler, Hono } from "hono";
import type { ApiAgents } from "../../../../core/api-page.ts";
import type { Toolbox, Turn } from "../../../../toolbox/toolbox.ts";
import type { McpEndpoint } from "../../../mcp/http/mcp-endpoint.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";
import type { Login } from "../../parts/login.ts";
import type { CallLimiter } from "../call-limiter.ts";
import type { ServerLimits } from "../http-limits.ts";
import type { Metrics } from "../metrics.ts";
import type { SessionReaders } from "../session-readers.ts";

/** The objects that the handlers of routes use. */
export interface RouteContext {
  readonly toolbox: Toolbox;
  readonly limits: ServerLimits;
  readonly admission: CallLimiter;
  readonly metrics: Metrics;
  readonly login: Login;
  /** The command line that starts this program, for commands to copy. */
  readonly command: string;
  /** The options with which it finds the tools of this server. */
  readonly commandOptions: string;
  /** The agents on this machine. */
  agents(): Promise<ApiAgents>;
  /** The open event streams of sessions. */
  readonly readers: SessionReaders;
  /** The turns of agents that this server has begun, while they run or wait. */
  readonly turns: Set<Turn>;
  /** Aborts when running calls must end because the server stops. */
  readonly stopping: AbortSignal;
  /** Aborted after the last turns of agents have ended. Until then, pages that are open stay connected. */
  readonly closing: AbortSignal;
  /** Creates the response for an error, and counts it in the metrics. */
  fail(error: ErrorResponse): Response;
  /** Undefined if the server was started without an MCP protocol. */
  readonly mcp?: McpEndpoint;
}

export interface RouteEnvironment {
  readonly Bindings: HttpBindings;
}

export type App = Hono<RouteEnvironment>;

export type RouteHandler = Handler<RouteEnvironment>;

/** Adds routes to the app. The guards have checked every request that reaches a route. */
export type Routes = (app: App, context: RouteContext) => void;
