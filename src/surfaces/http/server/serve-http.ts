import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { ApiAgents } from "../../../core/api-page.ts";
import { within } from "../../../platform/waiting/within.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { Protocol } from "../../mcp/create-protocol.ts";
import { type ErrorResponse, sendErrorResponse, toErrorResponse } from "../parts/error-response.ts";
import { bodyGuard } from "../parts/guards/body.ts";
import { allGuards, type RequestGuard } from "../parts/guards/guard.ts";
import { hostGuard } from "../parts/guards/host.ts";
import { originGuard } from "../parts/guards/origin.ts";
import { partsOf, tokenGuard } from "../parts/guards/token-guard.ts";
import { Login } from "../parts/login.ts";
import { OpenBodies } from "../parts/open-bodies.ts";
import { CallLimiter } from "./call-limiter.ts";
import { createApp, methodGuard } from "./create-app.ts";
import { DEFAULT_LIMITS, type HttpLimits, type ServerLimits } from "./http-limits.ts";
import { Metrics } from "./metrics.ts";
import { Page } from "./page/page.ts";
import { handleClientErrors, Pipelining } from "./pipelining.ts";
import type { RouteContext, Routes } from "./routes/route-context.ts";
import { SessionReaders } from "./session-readers.ts";
import { SlowReaders } from "./slow-readers.ts";

export interface HttpOptions {
  readonly toolbox: Toolbox;
  readonly routes: Routes;
  readonly token: string;
  /** The folder of the built page. Without it, no page is served, and no cookie is accepted. */
  readonly pageFolder?: string;
  /** The command line that starts this program, for commands that the page shows; "toolwright" by default. */
  readonly command?: string;
  /** The options with which that command finds the tools of this server; none by default. */
  readonly commandOptions?: string;
  /** Looks for the agents on this machine. Without it, the page lists none. */
  readonly agents?: () => Promise<ApiAgents>;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0, the default, is any free port. */
  readonly port?: number;
  /** Host names that the server accepts in addition to its own. */
  readonly allowHosts?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** The MCP server behind `/mcp`. The caller closes it, after this server. */
  readonly protocol?: Protocol;
  /** Called with errors of the server itself. */
  readonly onError?: (error: Error) => void;
}

/** A listening server. */
export interface HttpServer {
  /** Scheme, host and port: `http://127.0.0.1:4141`. */
  readonly origin: string;
  /** The number of running calls and reloads. */
  readonly running: number;
  /** The time that these have to finish when the server stops. */
  readonly stopMs: number;
  /** The number of turns of agents that run or wait. */
  readonly turns: number;
  /** The time that these have to finish when the server stops. */
  readonly stopTurnsMs: number;
  /**
   * Refuses new requests, but not answers and cancellations, waits `stopMs` for running calls and `stopTurnsMs` for turns of agents, and ends the rest: calls are
   * aborted, turns are interrupted. Can be called more than once.
   */
  stop(): Promise<void>;
}

/** Serves routes over HTTP behind all guards. Rejects if it cannot listen; the message says what to do. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host = "127.0.0.1", port = 0, onError = () => {} } = options;
  const given = { ...DEFAULT_LIMITS, ...options.limits };
  const limits = { ...given, openBodies: new OpenBodies(given.openBodyBytes) };
  const stopping = new AbortController();
  const closing = new AbortController();
  const login = new Login(options.token);
  const page = options.pageFolder === undefined ? undefined : new Page({ folder: options.pageFolder, login });
  const context = await createContext({ ...options, login }, limits, stopping.signal, closing.signal);
  const readers = new SlowReaders(limits.unreadMs);
  const pipelining = new Pipelining(({ code }) => context.metrics.countError(code));
  const app = createApp(options.routes, context, onError);
  const handle = getRequestListener(app.fetch, { errorHandler: () => toErrorResponse(INVALID_URL) });
  const guard = createGuard({ ...options, login, page }, host, [methodGuard(app), bodyGuard(limits.bodyBytes)]);
  let stopped: Promise<void> | undefined;
  const refusal: RequestGuard = (incoming) => (stopped && !endsWork(incoming) ? STOPPING : guard(incoming));
  const serve = createResponder({ refusal, page, handle, metrics: context.metrics, readers, onError });
  const server = createRequestServer(limits, { serve, refusal, pipelining });
  const stop = (): Promise<void> => {
    stopped ??= stopServer(server, context, { stopping, closing }, readers);
    return stopped;
  };
  try {
    await listen(server, host, port);
  } catch (error) {
    await stop();
    throw error;
  }
  // An error of one connection, such as a lack of file descriptors, must not end the process.
  server.on("error", onError);

  return {
    origin: originOf(server, host),
    get running(): number {
      return context.admission.running;
    },
    stopMs: limits.stopMs,
    get turns(): number {
      return context.turns.size;
    },
    stopTurnsMs: limits.stopTurnsMs,
    stop,
  };
}

type Responder = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface ResponderParts {
  /** Why a request is not served. */
  readonly refusal: RequestGuard;
  readonly page: Page | undefined;
  readonly handle: ReturnType<typeof getRequestListener>;
  readonly metrics: Metrics;
  readonly readers: SlowReaders;
  readonly onError: (error: Error) => void;
}

function createResponder({ refusal, page, handle, metrics, readers, onError }: ResponderParts): Responder {
  return (incoming, outgoing) => {
    const error = refusal(incoming);
    readers.watch(outgoing);
    // An unread body would stop Node from reading the connection.
    if (incoming.method !== "POST") incoming.resume();
    outgoing.once("close", () => outgoing.headersSent && metrics.countResponse(outgoing.statusCode));
    if (!error && page?.handles(incoming)) {
      return void page.respond(incoming, outgoing).catch((failure: Error) => {
        onError(failure);
        outgoing.destroy();
      });
    }
    if (!error) return void handle(incoming, outgoing);
    metrics.countError(error.code);
    sendErrorResponse(error, outgoing);
  };
}

/** A server that serves the requests of a connection in order, also those that expect something. */
function createRequestServer(
  limits: HttpLimits,
  { serve, refusal, pipelining }: { serve: Responder; refusal: RequestGuard; pipelining: Pipelining },
): Server {
  const inOrder =
    (respond: Responder): Responder =>
    (incoming, outgoing) =>
      pipelining.add(incoming, outgoing, respond);
  const server = createServer(serverOptions(limits), inOrder(serve));
  server.maxConnections = limits.connections;
  const continueAndServe: Responder = (incoming, outgoing) => {
    if (!refusal(incoming)) outgoing.writeContinue();
    serve(incoming, outgoing);
  };
  server.on("checkContinue", inOrder(continueAndServe));
  // Other expectations are ignored.
  server.on("checkExpectation", inOrder(serve));
  handleClientErrors(server, pipelining);
  return server;
}

const INVALID_URL: ErrorResponse = {
  code: "bad_request",
  message: "The URL of this request is not valid. Check its path and the Host header.",
};

const STOPPING: ErrorResponse = {
  code: "stopping",
  message: "The server is stopping. Try again when it has been restarted.",
  headers: { connection: "close", "retry-after": "5" },
};

/** Whether a request can only help running work to end. It is accepted while the server stops. */
function endsWork({ method, url = "" }: IncomingMessage): boolean {
  return (
    method === "POST" && /^\/api\/(?:sessions\/[^/?]+\/cancel|(?:sessions\/[^/?]+\/)?questions\/[^/?]+)$/.test(url)
  );
}

async function createContext(
  {
    toolbox,
    protocol,
    login,
    command = "toolwright",
    commandOptions = "",
    agents = async () => NO_AGENTS,
  }: HttpOptions & {
    readonly login: Login;
  },
  limits: ServerLimits,
  stopping: AbortSignal,
  closing: AbortSignal,
): Promise<RouteContext> {
  const metrics = new Metrics(toolbox);
  const fail = (error: ErrorResponse): Response => {
    metrics.countError(error.code);
    return toErrorResponse(error);
  };
  const readers = new SessionReaders(limits);
  stopping.addEventListener(
    "abort",
    toolbox.on("queue", (place) => readers.sendPlace(place)),
  );
  const turns: RouteContext["turns"] = new Set();
  const admission = new CallLimiter(limits);
  const common = {
    toolbox,
    limits,
    stopping,
    closing,
    admission,
    metrics,
    login,
    command,
    commandOptions,
    agents,
    readers,
    turns,
    fail,
  };
  if (!protocol) return common;
  const { McpEndpoint } = await import("../../mcp/http/mcp-endpoint.ts");
  return { ...common, mcp: new McpEndpoint(protocol, limits) };
}

const NO_AGENTS: ApiAgents = { runnable: [], configured: [] };

/** The order matters: a client without a valid host or token learns nothing from later guards. */
function createGuard(
  { token, allowHosts = [], login, page }: HttpOptions & { readonly login: Login; readonly page: Page | undefined },
  bound: string,
  others: readonly RequestGuard[],
): RequestGuard {
  // Both are decided by the path as it was sent, before anything decodes or resolves it.
  const isPublic = (request: IncomingMessage): boolean =>
    page?.handles(request) === true || (request.method === "POST" && partsOf(request).path === "/api/login");
  const withoutToken = page ? { cookie: login.cookie, isPublic } : {};
  const tokens = tokenGuard(token, withoutToken);
  return allGuards([hostGuard({ bound, allowed: allowHosts }), originGuard(allowHosts), tokens, ...others]);
}

function serverOptions({ headersMs, requestMs }: HttpLimits): Parameters<typeof createServer>[0] {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, requestMs) / 5,
    keepAliveTimeout: 5_000,
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => reject(new Error(reasonOf(error, host, port), { cause: error }));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function reasonOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is taken. Choose another with --port N; --port 0 takes any that is free.`;
    case "EACCES":
      return `You may not listen on port ${port}. Choose one above 1023 with --port N.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine. Choose another with --host.`;
    default:
      return `The server cannot listen on ${host}, port ${port}: ${error.message}`;
  }
}

/** A server that listens on all interfaces is reached from this machine by its loopback address. */
function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The time for agents to end turns that are interrupted. */
const INTERRUPT_MS = 15_000;
/** The time for aborted calls to respond. */
const ABORT_MS = 2_000;

async function stopServer(
  server: Server,
  { toolbox, admission, mcp, readers, limits, metrics }: RouteContext,
  { stopping, closing }: Readonly<Record<"stopping" | "closing", AbortController>>,
  slowReaders: SlowReaders,
): Promise<void> {
  const stopCalls = async (): Promise<void> => {
    await within(limits.stopMs, admission.idle());
    stopping.abort();
    await mcp?.close();
    await within(ABORT_MS, admission.idle());
  };
  const { stopTurnsMs } = limits;
  const stopTurns = (): Promise<void> => within(stopTurnsMs + INTERRUPT_MS, toolbox.sessions.stop(stopTurnsMs));
  // A server that cannot end its turns must stop all the same.
  await Promise.allSettled([stopCalls(), stopTurns()]);
  const closed = new Promise((resolve) => server.close(resolve));
  // Readers get the end of their turns first.
  await nextTurn();
  closing.abort();
  await within(ABORT_MS, readers.close());
  server.closeAllConnections();
  slowReaders.stop();
  metrics.close();
  await closed;
}
