import { setImmediate } from "node:timers/promises";
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { messageOf } from "../core/error.ts";
import type { PrintedBy } from "../core/log.ts";
import { VERSION } from "../core/version.ts";
import { CallLane } from "./call-lane.ts";
import { callTool } from "./call-tool.ts";
import { newerPeer, olderPeer, type Peer } from "./client-profile.ts";
import { complete } from "./complete.ts";
import type { Exchange } from "./exchange.ts";
import { isWantedAt } from "./log-levels.ts";
import { NO_SESSION } from "./mcp-client.ts";
import { PrintRelay } from "./print-relay.ts";
import { capabilitiesOf, instructionsFor, type Shared } from "./shared.ts";
import { StrictServer } from "./strict-server.ts";
import { ToolView } from "./tool-view.ts";

/** Names the session of a request where the protocol itself has none. */
const SESSION_META_KEY = "toolwright/session";

const MOST_SUBSCRIBED = 1_000;
const LONGEST_URI = 2_000;
const TOO_MANY_SUBSCRIBED = `A client can subscribe to ${MOST_SUBSCRIBED} resources, with addresses of up to ${LONGEST_URI} characters. Unsubscribe from some first.`;

/** How a connection is served. */
export interface ConnectionKind {
  readonly era: "legacy" | "modern";
  /** Whether it is for one request only: then nothing is sent that nobody asked for. */
  readonly forOneRequest: boolean;
  /** Whether there is no other client in this process. */
  readonly isAlone: boolean;
}

/** One protocol object and what it knows of its client. Connections share the tools, and nothing of each other. */
export class Connection {
  readonly server: StrictServer;
  readonly #shared: Shared;
  readonly #kind: ConnectionKind;
  readonly #view: ToolView;
  /** Where the transport has no sessions. */
  readonly #sessionID: string;
  /** Those that end with the connection. */
  readonly #sessions = new Set<string>();
  readonly #running = new Set<Exchange>();
  readonly #subscribed = new Set<string>();
  readonly #atEnd: (() => void)[] = [];
  #level: LoggingLevel | undefined;
  #isReady: boolean;

  constructor(shared: Shared, kind: ConnectionKind) {
    this.#shared = shared;
    this.#kind = kind;
    this.#view = new ToolView(shared.toolbox, shared.options);
    this.#sessionID = kind.forOneRequest ? NO_SESSION : ownSession(kind);
    this.#isReady = kind.era === "modern";
    const instructions = instructionsFor(shared.toolbox);
    this.server = new StrictServer(
      { name: "toolwright", version: VERSION },
      {
        capabilities: capabilitiesOf(shared),
        ...(instructions === undefined ? {} : { instructions }),
        // What people answer is checked by whoever asked; a compiler of schemas would cost every connection its start.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    this.#handleTools();
    if (kind.era === "legacy" && !kind.forOneRequest) this.server.lane = this.#createLane();
    this.#handleResources();
    this.#handlePrompts();
    this.#follow();
  }

  #handleTools(): void {
    const { server } = this;
    server.setRequestHandler("tools/list", async ({ params }, context) => {
      await this.#shared.toolbox.ready();
      await this.#shared.watch();
      return this.#view.list({ ...this.#peerOf(context), sessionID: this.#sessionOf(context) }, params?.cursor);
    });
    server.setRequestHandler("tools/call", ({ params }, context) =>
      this.#serve(context, `tool ${params.name}`, (exchange) => this.#call(params, exchange, this.#sessionOf(context))),
    );
    server.setRequestHandler("logging/setLevel", ({ params }) => {
      this.#level = params.level;
      return {};
    });
  }

  #call(params: CallToolRequest["params"], exchange: Exchange, sessionID: string): Promise<CallToolResult> {
    const version = this.server.getNegotiatedProtocolVersion();
    return callTool(params, exchange, { shared: this.#shared, view: this.#view, sessionID, version });
  }

  #createLane(): CallLane {
    const { server } = this;
    return new CallLane({
      isReady: () => this.#isReady,
      peer: () => olderPeer(server, () => this.#level, this.#shared.options.askMs),
      speak: (relatedRequestId) => ({
        notify: (notification) => server.notification(notification, { relatedRequestId }),
        send: (question, options) => server.request(question, { ...options, relatedRequestId }),
      }),
      call: (params, exchange) => this.#call(params, exchange, this.#sessionNamed(server.transport?.sessionId)),
    });
  }

  #handleResources(): void {
    const { server } = this;
    const { resources, kept, options } = this.#shared;
    server.setRequestHandler("resources/list", () => resources.list());
    server.setRequestHandler("resources/templates/list", () => resources.templates());
    server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
      this.#serve(context, `resource ${uri}`, async (exchange) => {
        const output = await kept.read(this.#sessionOf(context), uri, options.readBytes);
        return output ?? resources.read(uri, exchange);
      }),
    );
    server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
      if (this.#subscribed.size >= MOST_SUBSCRIBED || uri.length > LONGEST_URI) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, TOO_MANY_SUBSCRIBED);
      }
      this.#subscribed.add(uri);
      return {};
    });
    server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
      this.#subscribed.delete(uri);
      return {};
    });
  }

  #handlePrompts(): void {
    const { server } = this;
    const { prompts, resources, options } = this.#shared;
    if (options.prompts.length > 0) {
      server.setRequestHandler("prompts/list", () => prompts.list());
      server.setRequestHandler("prompts/get", ({ params: { name, arguments: values = {} } }, context) =>
        this.#serve(context, `prompt ${name}`, (exchange) => prompts.get(name, values, exchange)),
      );
    }
    if (capabilitiesOf(this.#shared).completions) {
      server.setRequestHandler("completion/complete", ({ params }) =>
        complete(params, { prompts, resources }).catch(rethrow),
      );
    }
  }

  /** Tells the client what changes, for as long as it is there. */
  #follow(): void {
    const { server } = this;
    const { toolbox, options } = this.#shared;
    server.oninitialized = () => {
      this.#isReady = true;
    };
    if (options.onError) server.onerror = options.onError;
    server.onclose = () => this.#end();
    const relay = new PrintRelay((...printed) => this.#pass(...printed));
    this.#atEnd.push(
      toolbox.on("log", ({ text, source }) => {
        if (this.#concerns(source)) relay.add(text, source?.callID);
      }),
    );
    if (this.#kind.forOneRequest) return;
    this.#atEnd.push(
      this.#shared.changes.listen((change) => {
        const isWanted = change.kind === "tools" || this.#kind.era === "modern" || this.#subscribed.has(change.uri);
        if (!this.#isReady || !isWanted) return;
        const sent =
          change.kind === "tools" ? server.sendToolListChanged() : server.sendResourceUpdated({ uri: change.uri });
        // A client that is gone closes the connection by itself.
        sent.catch(() => {});
      }),
    );
  }

  async #serve<R extends Result>(
    context: ServerContext,
    about: string,
    work: (exchange: Exchange) => Promise<R>,
  ): Promise<R | InputRequiredResult> {
    const peer = this.#peerOf(context);
    const served = await this.#shared.rounds.serve({ context, about, owner: this, peer }, async (exchange) => {
      this.#running.add(exchange);
      try {
        const result = await work(exchange).catch(rethrow);
        // What the tool printed last is here already, but comes another way than its result, and may not be read yet.
        if (peer.hearsUntilAnswered) await setImmediate();
        return result;
      } finally {
        this.#running.delete(exchange);
      }
    });
    return served as R | InputRequiredResult;
  }

  #peerOf(context: ServerContext): Peer {
    const { askMs } = this.#shared.options;
    return this.#kind.era === "modern" ? newerPeer(context, askMs) : olderPeer(this.server, () => this.#level, askMs);
  }

  #sessionOf({ mcpReq, sessionId }: ServerContext): string {
    const named = mcpReq._meta?.[SESSION_META_KEY];
    if (this.#kind.era === "modern" && named !== undefined) return sessionNamed(named);
    return this.#sessionNamed(sessionId);
  }

  #sessionNamed(sessionId: string | undefined): string {
    const own = sessionId ?? this.#sessionID;
    this.#sessions.add(own);
    return own;
  }

  /** Whether what was printed is this client's to see: of what nobody knows the call of, only where there is no other client. */
  #concerns(by: PrintedBy | undefined): boolean {
    if (!by) return this.#kind.isAlone;
    if (this.#kind.era === "legacy") return this.#sessions.has(by.sessionID);
    return [...this.#running].some(({ callID }) => callID === by.callID);
  }

  /** What tools print goes to clients that have said from which level on they want messages. */
  async #pass(level: LoggingLevel, data: string, call: string | undefined): Promise<void> {
    if (this.#kind.era === "modern") {
      const theirs = [...this.#running].filter(({ callID }) => call === undefined || callID === call);
      await Promise.all(theirs.map((exchange) => exchange.log(level, data, "tools")));
    } else if (this.#isReady && this.#level !== undefined && isWantedAt(level, this.#level)) {
      const params = { level, data, logger: "tools" };
      await this.server.notification({ method: "notifications/message", params }).catch(() => {});
    }
  }

  #end(): void {
    for (const act of this.#atEnd.splice(0)) act();
    this.server.lane?.close();
    if (this.#kind.forOneRequest) return;
    this.#shared.rounds.drop(this);
    for (const sessionID of this.#sessions) this.#shared.endSession(sessionID);
  }
}

let alone = 0;

/** Where there are other clients, none may guess it. Where there are none it need not be random, which would slow the start. */
function ownSession({ isAlone }: ConnectionKind): string {
  if (!isAlone) return `mcp-${crypto.randomUUID()}`;
  // Programs may serve several that are each alone with their streams.
  alone += 1;
  return `mcp-${process.pid}-${Date.now().toString(36)}-${alone}`;
}

/** Names are kept for as long as their sessions, and stand in logs: they are bounded as they are over REST. */
function sessionNamed(name: unknown): string {
  if (typeof name === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(name)) return name;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `"${SESSION_META_KEY}" in _meta is a text of 1 to 200 characters.`,
  );
}

/** What a prompt or a resource throws is its author's, and the client is told. */
function rethrow(error: unknown): never {
  throw error instanceof ProtocolError ? error : new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error));
}
