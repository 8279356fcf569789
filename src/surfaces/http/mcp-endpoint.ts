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
import type { Protocol } from "../../mcp/create-protocol.ts";
import type { StrictServer } from "../../mcp/strict-server.ts";
import { drained } from "./drained.ts";
import type { HttpLimits } from "./limits.ts";
import { SessionTransport } from "./session-transport.ts";

interface Session {
  readonly transport: SessionTransport;
  /** The version that was agreed on. */
  readonly version: () => string | undefined;
  /** Requests that are being answered, streams that stay open included. */
  open: number;
  usedAt: number;
}

type McpLimits = Pick<HttpLimits, "mcpSessions" | "mcpIdleMs" | "heartbeatMs">;

/** Clients of both eras under one address: sessions for those that have them, single requests for the others. */
export class McpEndpoint {
  readonly #protocol: Protocol;
  readonly #limits: McpLimits;
  readonly #single: McpHttpHandler;
  /** Where requests that need no session are answered. */
  readonly #responses = new WeakMap<Request, ServerResponse>();
  /** The one that was used last is last. */
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(protocol: Protocol, limits: McpLimits) {
    this.#protocol = protocol;
    this.#limits = limits;
    this.#single = createMcpHandler((context) => this.#once(context), { legacy: "reject" });
    this.#sweeping = setInterval(() => this.#sweep(), limits.mcpIdleMs / 10).unref();
    this.#stopListening = protocol.onChange((change) => {
      if (change.kind === "tools") this.#single.notify.toolsChanged();
      else this.#single.notify.resourceUpdated(change.uri);
    });
  }

  /** How many there are. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Answers one request, whose body has been read. */
  async serve(request: Request, body: unknown, outgoing: ServerResponse): Promise<Response> {
    const known = this.#sessions.get(request.headers.get(SESSION_HEADER) ?? "");
    if (known && this.#takes(known, request, body, outgoing)) return RESPONSE_ALREADY_SENT;
    const parsed = body === undefined ? {} : { parsedBody: body };
    if (!(await isLegacyRequest(request, body))) {
      this.#responses.set(request, outgoing);
      return this.#single.fetch(request, parsed);
    }
    const session = await this.#sessionFor(request, body);
    if (session instanceof Response) return session;
    this.#use(session, outgoing);
    const id = requestIn(body);
    if (id !== undefined || request.method === "GET") session.transport.watch(id, outgoing);
    const response = await session.transport.handleRequest(request, parsed);
    // A beginning that was refused is the end of it.
    if (session.transport.sessionId === undefined) void session.transport.close();
    return response;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#stopListening();
    const sessions = [...this.#sessions.values()];
    await Promise.all([this.#single.close(), ...sessions.map(({ transport }) => transport.close())]);
  }

  /** Answers what needs nothing of the SDK, and is as the protocol has it. */
  #takes(session: Session, { headers }: Request, body: unknown, outgoing: ServerResponse): boolean {
    const accepted = headers.get("accept") ?? "";
    const version = headers.get("mcp-protocol-version") ?? undefined;
    const isUsual =
      isMessage(body) &&
      accepted.includes("application/json") &&
      accepted.includes("text/event-stream") &&
      (version === undefined || version === session.version());
    if (!isUsual || !session.transport.handleFastCall(body, outgoing, this.#limits.heartbeatMs)) return false;
    this.#use(session, outgoing);
    return true;
  }

  async #once(context: McpRequestContext): Promise<Server> {
    const server = (await this.#protocol.once(context)) as StrictServer;
    const outgoing = context.requestInfo && this.#responses.get(context.requestInfo);
    server.room = () => drained(outgoing);
    return server;
  }

  async #sessionFor(request: Request, body: unknown): Promise<Session | Response> {
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) {
      if (isInitializeRequest(body)) return this.#begin(request);
      return refused(
        400,
        'This server keeps sessions: send "initialize" first, then its Mcp-Session-Id with each request.',
      );
    }
    const known = this.#sessions.get(id);
    return known ?? refused(404, 'There is no such session any more. Send "initialize" to begin another.');
  }

  async #begin(request: Request): Promise<Session> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => this.#keep(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const server = await this.#protocol.connect({ era: "legacy", requestInfo: request });
    const version = (): string | undefined => (server as StrictServer).getNegotiatedProtocolVersion();
    const session: Session = { transport, version, open: 0, usedAt: performance.now() };
    await server.connect(transport);
    transport.useFastCallPath((server as StrictServer).fastCallPath);
    return session;
  }

  #keep(id: string, session: Session): void {
    if (this.#sessions.size >= this.#limits.mcpSessions) this.#endOne();
    this.#sessions.set(id, session);
  }

  #use(session: Session, outgoing: ServerResponse): void {
    session.open += 1;
    this.#touch(session);
    outgoing.once("close", () => {
      session.open -= 1;
      this.#touch(session);
    });
  }

  #touch(session: Session): void {
    session.usedAt = performance.now();
    const id = session.transport.sessionId;
    if (id !== undefined && this.#sessions.delete(id)) this.#sessions.set(id, session);
  }

  /** Clients that went away without a word are forgotten. */
  #sweep(): void {
    const since = performance.now() - this.#limits.mcpIdleMs;
    for (const each of [...this.#sessions]) {
      const [, { open, usedAt }] = each;
      if (open === 0 && usedAt < since) this.#end(each);
    }
  }

  /** The one that was unused for longest, one that is not waiting for anything first. */
  #endOne(): void {
    const all = [...this.#sessions];
    const chosen = all.find(([, { open }]) => open === 0) ?? all[0];
    if (chosen) this.#end(chosen);
  }

  #end([id, { transport }]: [string, Session]): void {
    this.#sessions.delete(id);
    void transport.close();
  }
}

/** The id of a request; a notification, or an answer to a question of ours, has none. */
function requestIn(body: unknown): RequestId | undefined {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === "string" || typeof id === "number") ? id : undefined;
}

const SESSION_HEADER = "mcp-session-id";

/** Whether a body is a JSON-RPC message, as far as the fast call path does not check it. */
function isMessage(body: unknown): body is JSONRPCMessage {
  const { jsonrpc, id } = (body ?? {}) as { jsonrpc?: unknown; id?: unknown };
  return jsonrpc === "2.0" && (typeof id === "string" || Number.isSafeInteger(id));
}

function refused(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status });
}
