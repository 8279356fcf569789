import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { Protocol } from "../../mcp/create-protocol.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { Admission } from "./admission.ts";
import { createApp, nothingAt } from "./app.ts";
import { endBadConnections } from "./bad-clients.ts";
import { bodyGuard } from "./guards/body.ts";
import { allGuards, type Guard } from "./guards/guard.ts";
import { hostGuard } from "./guards/host.ts";
import { methodGuard } from "./guards/method.ts";
import { originGuard } from "./guards/origin.ts";
import { tokenGuard } from "./guards/token-guard.ts";
import { type HttpLimits, LIMITS } from "./limits.ts";
import { Metrics } from "./metrics.ts";
import { Pipelining } from "./pipelining.ts";
import { type Refusal, sendRefusal, toResponse } from "./refusal.ts";
import type { Routes, Services } from "./routes/routes.ts";
import { SlowReaders } from "./slow-readers.ts";

/** What is served, where and to whom. */
export interface HttpOptions {
  readonly toolbox: Toolbox;
  readonly routes: readonly Routes[];
  readonly token: string;
  /** The address to listen on; by default only this machine can reach it. */
  readonly host?: string;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** Names that the server is reached by, beside its own. */
  readonly allowHosts?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** What `/mcp` speaks. Whoever made it closes it, after the server. */
  readonly protocol?: Protocol;
  /** Told of faults of our own. */
  readonly onError?: (error: Error) => void;
}

/** A server that is listening. */
export interface HttpServer {
  /** Scheme, host and port: `http://127.0.0.1:4141`. */
  readonly origin: string;
  /** Calls and reloads that are being answered. */
  readonly running: number;
  /** How long they may take to end when the server stops. */
  readonly stopMs: number;
  /** Takes nothing more, lets calls finish for a while, ends those that do not. May be called more than once. */
  stop(): Promise<void>;
}

/** Serves routes over HTTP behind all guards. Rejects where it cannot listen; the message says what to do. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host = "127.0.0.1", port = 0, onError = () => {} } = options;
  const limits = { ...LIMITS, ...options.limits };
  const stopping = new AbortController();
  const services = await createServices(options, limits, stopping.signal);
  const readers = new SlowReaders(limits.unreadMs);
  const pipelining = new Pipelining(({ code }) => services.metrics.refused(code));
  const app = createApp(options.routes, services, onError);
  const handle = getRequestListener(app.fetch, { errorHandler: () => toResponse(NO_REQUEST) });
  const nothing = methodGuard((method, path) => nothingAt(app, method, path));
  const guard = guardOf(options, host, [nothing, bodyGuard(limits.bodyBytes)]);
  let stopped: Promise<void> | undefined;

  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refusal = stopped ? STOPPING : guard(incoming);
    readers.watch(outgoing);
    // A body that is left unread would stop the reading from the connection.
    if (incoming.method !== "POST") incoming.resume();
    outgoing.once("close", () => outgoing.headersSent && services.metrics.answered(outgoing.statusCode));
    if (!refusal) return void handle(incoming, outgoing);
    services.metrics.refused(refusal.code);
    sendRefusal(refusal, outgoing);
  };
  const inTurn = (serve: typeof answer) => (incoming: IncomingMessage, outgoing: ServerResponse) =>
    pipelining.add(incoming, outgoing, serve);
  const server = createServer(serverOptions(limits), inTurn(answer));
  server.maxConnections = limits.connections;
  const answerAndContinue: typeof answer = (incoming, outgoing) => {
    if (!stopped && !guard(incoming)) outgoing.writeContinue();
    answer(incoming, outgoing);
  };
  server.on("checkContinue", inTurn(answerAndContinue));
  // Whatever else is expected of us, a request is answered like any other.
  server.on("checkExpectation", inTurn(answer));
  endBadConnections(server, pipelining);
  const stop = (): Promise<void> => {
    stopped ??= end(server, services, stopping, readers);
    return stopped;
  };
  try {
    await listen(server, host, port);
  } catch (error) {
    await stop();
    throw error;
  }
  // What goes wrong with one connection, for want of file descriptors say, ends no other.
  server.on("error", onError);

  return {
    origin: originOf(server, host),
    get running(): number {
      return services.admission.running;
    },
    stopMs: limits.stopMs,
    stop,
  };
}

const NO_REQUEST: Refusal = {
  code: "bad_request",
  message: "The URL of this request is not valid. Check its path and the Host header.",
};

const STOPPING: Refusal = {
  code: "stopping",
  message: "The server is stopping. Try again when it has been restarted.",
  headers: { connection: "close", "retry-after": "5" },
};

async function createServices(
  { toolbox, protocol }: HttpOptions,
  limits: HttpLimits,
  stopping: AbortSignal,
): Promise<Services> {
  const metrics = new Metrics(toolbox);
  const refuse = (refusal: Refusal): Response => {
    metrics.refused(refusal.code);
    return toResponse(refusal);
  };
  const common = { toolbox, limits, stopping, admission: new Admission(limits), metrics, refuse };
  if (!protocol) return common;
  const { McpEndpoint } = await import("./mcp-endpoint.ts");
  return { ...common, mcp: new McpEndpoint(protocol, limits) };
}

/** In this order: who does not know our name learns nothing about tokens, and who has none nothing about bodies. */
function guardOf({ token, allowHosts = [] }: HttpOptions, bound: string, others: readonly Guard[]): Guard {
  return allGuards([hostGuard({ bound, allowed: allowHosts }), originGuard(allowHosts), tokenGuard(token), ...others]);
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
      return `Port ${port} may not be used by you. Choose one above 1023 with --port N.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine. Choose another with --host.`;
    default:
      return `The server cannot listen on ${host}, port ${port}: ${error.message}`;
  }
}

/** Who listens everywhere is reached, from here, as this machine. */
function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

const LAST_MS = 2_000;

async function end(
  server: Server,
  { admission, mcp, limits, metrics }: Services,
  stopping: AbortController,
  readers: SlowReaders,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await within(limits.stopMs, admission.idle());
  stopping.abort();
  await mcp?.close();
  // What was aborted says so to its clients.
  await within(LAST_MS, admission.idle());
  server.closeAllConnections();
  readers.stop();
  metrics.close();
  await closed;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
