import {
  type CallToolRequest,
  type CallToolResult,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
} from "@modelcontextprotocol/server";
import { messageOf } from "../core/error.ts";
import { isObject } from "../core/is-object.ts";
import type { Peer } from "./client-profile.ts";
import { Exchange } from "./exchange.ts";
import type { Round } from "./round.ts";

/** What a lane needs of its connection. */
export interface LaneOptions {
  /** Whether the client has said who it is. */
  readonly isReady: () => boolean;
  readonly peer: () => Peer;
  /** How the client is spoken to about a request. */
  readonly speak: (id: RequestId) => Pick<Round["mcpReq"], "notify" | "send">;
  readonly call: (params: CallToolRequest["params"], exchange: Exchange) => Promise<CallToolResult>;
}

type Answer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * A way past the SDK for calls by clients of the older era, which are nearly all that is ever asked: the SDK looks at a
 * message half a dozen times, which takes longer than a call. Whatever is out of the ordinary is left to the SDK.
 */
export class CallLane {
  readonly #options: LaneOptions;
  readonly #open = new Map<RequestId, Exchange>();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Takes a message, if it is for this lane. What it asks for is answered once, unless it is cancelled. */
  take(message: JSONRPCMessage, answer: (answer: Answer) => void): boolean {
    if (!("method" in message)) return false;
    if (!("id" in message)) return this.cancel(cancelledBy(message));
    // Of two requests with the same id the SDK has the second.
    if (!isOrdinaryCall(message) || !this.#options.isReady() || this.#open.has(message.id)) return false;
    void this.#serve(message, answer);
    return true;
  }

  /** Answers whether it was there to be cancelled. */
  cancel(id: RequestId | undefined): boolean {
    if (id === undefined) return false;
    const exchange = this.#open.get(id);
    this.#open.delete(id);
    exchange?.abort();
    return exchange !== undefined;
  }

  /** The client is gone: nobody waits for anything any more. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.cancel(id);
  }

  async #serve({ id, params }: OrdinaryCall, answer: (answer: Answer) => void): Promise<void> {
    const { peer, speak, call } = this.#options;
    const { _meta } = params;
    const round = { mcpReq: { id, ...(_meta ? { _meta } : {}), ...speak(id) } };
    const exchange = new Exchange(peer(), round, (exchange) => call(params, exchange));
    this.#open.set(id, exchange);
    let said: Answer;
    try {
      said = { result: await exchange.work, jsonrpc: "2.0", id };
    } catch (error) {
      said = { jsonrpc: "2.0", id, error: errorOf(error) };
    }
    if (this.#open.get(id) !== exchange) return;
    this.#open.delete(id);
    answer(said);
  }
}

type OrdinaryCall = JSONRPCRequest & { readonly method: "tools/call"; readonly params: CallToolRequest["params"] };

/** Whether a message is a call in which nothing is wrong, and nothing asks for more than to make it. */
function isOrdinaryCall(message: JSONRPCRequest): message is OrdinaryCall {
  if (message.method !== "tools/call" || Object.keys(message).length !== FIELDS) return false;
  const params: unknown = message.params;
  if (!isObject(params)) return false;
  const { name, arguments: input = {}, _meta = {} } = params;
  const isPlain = Object.keys(params).every((key) => PARAMS.has(key));
  return isPlain && typeof name === "string" && isObject(input) && isOrdinaryMeta(_meta);
}

/** `jsonrpc`, `id`, `method` and `params`. */
const FIELDS = 4;

const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

const RESERVED = "io.modelcontextprotocol/";

function isOrdinaryMeta(meta: unknown): boolean {
  if (!isObject(meta) || Object.keys(meta).some((key) => key.startsWith(RESERVED))) return false;
  const { progressToken } = meta;
  return progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

/** The request that a notification takes back, if it does. */
export function cancelledBy({ method, params }: JSONRPCNotification): RequestId | undefined {
  const id: unknown = method === "notifications/cancelled" ? params?.requestId : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function errorOf(error: unknown): JSONRPCErrorResponse["error"] {
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message: messageOf(error) };
  const { code, message, data } = error;
  return { code, message, ...(data === undefined ? {} : { data }) };
}
