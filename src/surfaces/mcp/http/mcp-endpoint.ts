import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type McpHttpHandler,
  type McpRequestContext,
  type RequestId,
  type Server,
} from "@modelcontextprotocol/server";
import { waitForDrain } from "../../http/parts/wait-for-drain.ts";
import type { Protocol } from "../create-protocol.ts";
import type { StrictServer } from "../strict-server.ts";
import type { McpLimits } from "./mcp-limits.ts";
import { rpcErrorResponse } from "./read-rpc-body.ts";
import { SessionTransport } from "./session-transport.ts";

interface Session {
  readonly transport: SessionTransport;
  /** The negotiated protocol version. */
  readonly version: () => string | undefined;
  /** The number of open responses, event streams included. */
  openResponses: number;
  usedAt: number;
}

/** The part of an MCP server that the endpoint uses. */
type ServedProtocol = Pick<Protocol, "connect" | "once" | "onChange">;

/** Serves `/mcp`: requests up to 2025-11-25 belong to a session, those from 2026-07-28 on are served one by one. */
export class McpEndpoint {
  readonly #protocol: ServedProtocol;
  readonly #limits: McpLimits;
  readonly #sessionless: McpHttpHandler;
  /** The responses to requests without a session. */
  readonly #responses = new WeakMap<Request, ServerResponse>();
  /** By id, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(protocol: ServedProtocol, limits: McpLimits) {
    this.#protocol = protocol;
    this.#limits = limits;
    this.#sessionless = createMcpHandler((context) => this.#createServer(context), { legacy: "reject" });
    this.#sweeping = setInterval(() => this.#sweep(), limits.mcpIdleMs / 10).unref();
    this.#stopListening = protocol.onChange((change) => {
      if (change.kind === "tools") this.#sessionless.notify.toolsChanged();
      else this.#sessionless.notify.resourceUpdated(change.uri);
    });
  }

  /** The number of sessions. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Serves a request whose body has been read. */
  async serve(request: Request, body: unknown, outgoing: ServerResponse): Promise<Response> {
    const known = this.#sessions.get(request.headers.get(SESSION_HEADER) ?? "");
    if (known && this.#handleFastCall(known, request, body, outgoing)) return RESPONSE_ALREADY_SENT;
    const parsed = body === undefined ? {} : { parsedBody: body };
    if (!(await isLegacyRequest(request, body))) {
      this.#responses.set(request, outgoing);
      return this.#sessionless.fetch(request, parsed);
    }
    const session = await this.#sessionFor(request, body);
    if (session instanceof Response) return session;
    this.#use(session, outgoing);
    const id = requestIdOf(body);
    if (id !== undefined || request.method === "GET") session.transport.watch(id, outgoing);
    const response = await session.transport.handleRequest(request, parsed);
    // The SDK has refused the initialization.
    if (session.transport.sessionId === undefined) void session.transport.close();
    return response;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#stopListening();
    const sessions = [...this.#sessions.values()];
    await Promise.all([this.#sessionless.close(), ...sessions.map(({ transport }) => transport.close())]);
  }

  /** Passes a call with valid headers to the fast call path. Returns whether it was handled there. */
  #handleFastCall(session: Session, { headers }: Request, body: unknown, outgoing: ServerResponse): boolean {
    const accepted = headers.get("accept") ?? "";
    const version = headers.get("mcp-protocol-version") ?? undefined;
    const isValid =
      isMessage(body) &&
      accepted.includes("application/json") &&
      accepted.includes("text/event-stream") &&
      (version === undefined || version === session.version());
    if (!isValid || !session.transport.handleFastCall(body, outgoing, this.#limits.heartbeatMs)) return false;
    this.#use(session, outgoing);
    return true;
  }

  async #createServer(context: McpRequestContext): Promise<Server> {
    const server = (await this.#protocol.once(context)) as StrictServer;
    const outgoing = context.requestInfo && this.#responses.get(context.requestInfo);
    server.waitForDrain = () => waitForDrain(outgoing);
    return server;
  }

  async #sessionFor(request: Request, body: unknown): Promise<Session | Response> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) {
      if (isInitializeRequest(body)) return this.#createSession(request);
      return rpcErrorResponse(
        400,
        -32_000,
        'This server requires a session: send "initialize" first, then its Mcp-Session-Id with each request.',
      );
    }
    const known = this.#sessions.get(id);
    return (
      known ??
      rpcErrorResponse(404, -32_000, 'This session does not exist or has ended. Send "initialize" to start another.')
    );
  }

  async #createSession(request: Request): Promise<Session> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => this.#addSession(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const server = await this.#protocol.connect({ era: "legacy", requestInfo: request });
    const version = (): string | undefined => (server as StrictServer).getNegotiatedProtocolVersion();
    const session: Session = { transport, version, openResponses: 0, usedAt: performance.now() };
    await server.connect(transport);
    transport.useFastCallPath((server as StrictServer).fastCallPath);
    return session;
  }

  #addSession(id: string, session: Session): void {
    if (this.#sessions.size >= this.#limits.mcpSessions) this.#endLeastRecentlyUsed();
    this.#sessions.set(id, session);
  }

  #use(session: Session, outgoing: ServerResponse): void {
    session.openResponses += 1;
    this.#touch(session);
    outgoing.once("close", () => {
      session.openResponses -= 1;
      this.#touch(session);
    });
  }

  #touch(session: Session): void {
    session.usedAt = performance.now();
    const id = session.transport.sessionId;
    if (id !== undefined && this.#sessions.delete(id)) this.#sessions.set(id, session);
  }

  /** Ends sessions that have been idle for too long. */
  #sweep(): void {
    const since = performance.now() - this.#limits.mcpIdleMs;
    for (const each of [...this.#sessions]) {
      const [, { openResponses, usedAt }] = each;
      if (openResponses === 0 && usedAt < since) this.#end(each);
    }
  }

  /** Prefers sessions without open responses. */
  #endLeastRecentlyUsed(): void {
    const all = [...this.#sessions];
    const ended = all.find(([, { openResponses }]) => openResponses === 0) ?? all[0];
    if (ended) this.#end(ended);
  }

  #end([id, { transport }]: [string, Session]): void {
    this.#sessions.delete(id);
    void transport.close();
  }
}

/** The id of a request. Undefined for notifications and responses. */
function requestIdOf(body: unknown): RequestId | undefined {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === "string" || typeof id === "number") ? id : undefined;
}

const SESSION_HEADER = "mcp-session-id";

/** Whether a body is a JSON-RPC message, as far as the fast call path does not check it. */
function isMessage(body: unknown): body is JSONRPCMessage {
  const { jsonrpc, id } = (body ?? {}) as { jsonrpc?: unknown; id?: unknown };
  return jsonrpc === "2.0" && (typeof id === "string" || Number.isSafeInteger(id));
}
