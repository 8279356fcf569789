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
import { messageOf } from "../../core/error.ts";
import { isObject } from "../../platform/values/is-object.ts";
import type { ClientProfile } from "./client-profile.ts";
import { ClientRequest } from "./client-request.ts";
import type { RequestContext } from "./request-context.ts";

/** The parts of a connection that the fast path uses. */
interface FastCallPathOptions {
  /** Whether the client has completed initialization. */
  readonly isReady: () => boolean;
  readonly profile: () => ClientProfile;
  /** The functions that send the client messages related to a request. */
  readonly sendersFor: (id: RequestId) => Pick<RequestContext["mcpReq"], "notify" | "send">;
  readonly call: (params: CallToolRequest["params"], request: ClientRequest) => Promise<CallToolResult>;
}

type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * Serves `tools/call` of clients up to 2025-11-25 without the SDK, which validates each message several times and takes
 * longer than the call itself. Requests with any unusual field are left to the SDK.
 */
export class FastCallPath {
  readonly #options: FastCallPathOptions;
  readonly #open = new Map<RequestId, ClientRequest>();

  constructor(options: FastCallPathOptions) {
    this.#options = options;
  }

  /** Returns whether this path handles the message. A call is responded to once, unless it is cancelled. */
  handle(message: JSONRPCMessage, respond: (response: JSONRPCResponse) => void): boolean {
    if (!("method" in message)) return false;
    if (!("id" in message)) return this.cancel(cancelledBy(message));
    // The SDK handles a second request with the id of an open one.
    if (!isPlainCall(message) || !this.#options.isReady() || this.#open.has(message.id)) return false;
    void this.#serve(message, respond);
    return true;
  }

  /** Returns whether there was an open call with this id. */
  cancel(id: RequestId | undefined): boolean {
    if (id === undefined) return false;
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.abort();
    return request !== undefined;
  }

  /** Cancels all open calls. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.cancel(id);
  }

  async #serve({ id, params }: PlainCall, respond: (response: JSONRPCResponse) => void): Promise<void> {
    const { profile, sendersFor, call } = this.#options;
    const { _meta } = params;
    const context = { mcpReq: { id, ...(_meta ? { _meta } : {}), ...sendersFor(id) } };
    const request = new ClientRequest(profile(), context, (request) => call(params, request));
    this.#open.set(id, request);
    let response: JSONRPCResponse;
    try {
      response = { result: await request.result, jsonrpc: "2.0", id };
    } catch (error) {
      response = { jsonrpc: "2.0", id, error: errorOf(error) };
    }
    if (this.#open.get(id) !== request) return;
    this.#open.delete(id);
    respond(response);
  }
}

type PlainCall = JSONRPCRequest & { readonly method: "tools/call"; readonly params: CallToolRequest["params"] };

/** Whether a message is a valid `tools/call` without fields that only the SDK handles. */
function isPlainCall(message: JSONRPCRequest): message is PlainCall {
  if (message.method !== "tools/call" || Object.keys(message).length !== FIELD_COUNT) return false;
  const params: unknown = message.params;
  if (!isObject(params)) return false;
  const { name, arguments: input = {}, _meta = {} } = params;
  const isPlain = Object.keys(params).every((key) => PARAMS.has(key));
  return isPlain && typeof name === "string" && isObject(input) && isPlainMeta(_meta);
}

/** `jsonrpc`, `id`, `method` and `params`. */
const FIELD_COUNT = 4;

const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

const RESERVED = "io.modelcontextprotocol/";

function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta) || Object.keys(meta).some((key) => key.startsWith(RESERVED))) return false;
  const { progressToken } = meta;
  return progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

/** The id of the request that a `notifications/cancelled` names. */
export function cancelledBy({ method, params }: JSONRPCNotification): RequestId | undefined {
  const id: unknown = method === "notifications/cancelled" ? params?.requestId : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function errorOf(error: unknown): JSONRPCErrorResponse["error"] {
  if (!(error instanceof ProtocolError)) return { code: ProtocolErrorCode.InternalError, message: messageOf(error) };
  const { code, message, data } = error;
  return { code, message, ...(data === undefined ? {} : { data }) };
}
