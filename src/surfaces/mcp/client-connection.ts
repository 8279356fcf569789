import { setImmediate } from "node:timers/promises";
import {
  type InputRequiredResult,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { messageOf } from "../../core/error.ts";
import { VERSION } from "../../core/version.ts";
import { SHARED_SESSION_ID } from "../../sessions/log/session-id.ts";
import { type ClientProfile, legacyClientProfile, modernClientProfile } from "./client-profile.ts";
import type { ClientRequest } from "./client-request.ts";
import type { ServerState } from "./server-state.ts";
import { StrictServer } from "./strict-server.ts";

/** The key in `_meta` that names the session of a request. From 2026-07-28 on, the protocol itself has no sessions. */
const SESSION_META_KEY = "toolwright/session";

export interface ConnectionKind {
  /** `legacy` is up to 2025-11-25, `modern` from 2026-07-28 on. */
  readonly era: "legacy" | "modern";
  /** Whether it ends with its first response. It then gets no notifications of changes. */
  readonly forOneRequest: boolean;
  /** Whether no other client is served by this process. */
  readonly isOnlyClient: boolean;
}

/** The SDK server of one client, with the session, profile and running requests of that client. */
export class ClientConnection {
  readonly server: StrictServer;
  readonly state: ServerState;
  readonly kind: ConnectionKind;
  /** Set by `logging/setLevel`, which only legacy clients send. */
  logLevel: LoggingLevel | undefined;
  /** The sessions that end with this connection. */
  readonly sessions: Set<string> = new Set();
  readonly running: Set<ClientRequest> = new Set();
  /** Used where the transport has no session id. */
  readonly #defaultSessionID: string;
  readonly #closeListeners: (() => void)[] = [];
  #isReady: boolean;

  constructor(state: ServerState, kind: ConnectionKind) {
    this.state = state;
    this.kind = kind;
    this.#defaultSessionID = kind.forOneRequest ? SHARED_SESSION_ID : createSessionID(kind);
    this.#isReady = kind.era === "modern";
    const { instructions } = state.source;
    this.server = new StrictServer(
      { name: "toolwright", version: VERSION },
      {
        capabilities: state.capabilities,
        ...(instructions === undefined ? {} : { instructions }),
        // The code that asks a user checks the answer. Loading a schema compiler would delay every connection.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    this.server.oninitialized = () => {
      this.#isReady = true;
    };
    if (state.options.onError) this.server.onerror = state.options.onError;
    this.server.onclose = () => this.#close();
  }

  /** Whether the client has completed initialization, where its era has one. */
  get isReady(): boolean {
    return this.#isReady;
  }

  profileOf(context: ServerContext): ClientProfile {
    return this.kind.era === "modern" ? modernClientProfile(context, this.state.options.askMs) : this.legacyProfile();
  }

  legacyProfile(): ClientProfile {
    return legacyClientProfile(this.server, () => this.logLevel, this.state.options.askMs);
  }

  sessionOf({ mcpReq, sessionId }: ServerContext): string {
    const named = mcpReq._meta?.[SESSION_META_KEY];
    const mayName = this.kind.era === "modern" && this.state.source.sessionID === undefined;
    if (mayName && named !== undefined) return checkSessionID(named);
    return this.ownSession(sessionId);
  }

  /** The session of this connection: that of the server or of its transport, if one of them has one. */
  ownSession(transportSessionID: string | undefined): string {
    const shared = this.state.source.sessionID;
    if (shared !== undefined) return shared;
    const sessionID = transportSessionID ?? this.#defaultSessionID;
    this.sessions.add(sessionID);
    return sessionID;
  }

  /** Runs a handler that may ask the client something. `target` names the requested tool, resource or prompt, as in `tool read`. */
  async serve<R extends Result>(
    context: ServerContext,
    target: string,
    handler: (request: ClientRequest) => Promise<R>,
  ): Promise<R | InputRequiredResult> {
    const profile = this.profileOf(context);
    const served = await this.state.pending.serve({ context, target, connection: this, profile }, async (request) => {
      this.running.add(request);
      try {
        const result = await handler(request).catch(rethrow);
        // Log messages of the tool reach this process on another channel than its result and may still be unread.
        if (profile.takesLogsUntilResponse) await setImmediate();
        return result;
      } finally {
        this.running.delete(request);
      }
    });
    return served as R | InputRequiredResult;
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  #close(): void {
    for (const listener of this.#closeListeners.splice(0)) listener();
    this.server.fastCallPath?.close();
    if (this.kind.forOneRequest) return;
    this.state.pending.abort(this);
    for (const sessionID of this.sessions) this.state.source.endSession?.(sessionID);
  }
}

let onlyClients = 0;

/** Other clients must not guess the id. For the only client it is not random, because random ids delay the start. */
function createSessionID({ isOnlyClient }: ConnectionKind): string {
  if (!isOnlyClient) return `mcp-${crypto.randomUUID()}`;
  // One process may serve several pairs of streams, each with its only client.
  onlyClients += 1;
  return `mcp-${process.pid}-${Date.now().toString(36)}-${onlyClients}`;
}

/** The same limits as for `sessionID` in the REST API. */
function checkSessionID(sessionID: unknown): string {
  if (typeof sessionID === "string" && /^[^\0-\x1f\x7f]{1,200}$/.test(sessionID)) return sessionID;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `"${SESSION_META_KEY}" in _meta must be a string of 1 to 200 characters.`,
  );
}

/** Errors of a resource's or prompt's author are reported to the client with their message. */
export function rethrow(error: unknown): never {
  throw error instanceof ProtocolError ? error : new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error));
}
