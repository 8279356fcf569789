import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { EventStream } from "../../http/parts/event-stream.ts";
import { waitForDrain } from "../../http/parts/wait-for-drain.ts";
import { cancelledBy, type FastCallPath } from "../fast-call-path.ts";

/** The transport of one MCP session over HTTP. Plain tool calls go to the fast call path, all other messages to the SDK. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #callResponses = new Map<RequestId, CallResponse>();
  /** Responses to requests that the SDK serves. `undefined` is the key of the stream for unrelated messages. */
  readonly #streams = new Map<RequestId | undefined, ServerResponse>();
  #fastCallPath: FastCallPath | undefined;
  /** The SDK's handler of messages. */
  #passToSdk: WebStandardStreamableHTTPServerTransport["onmessage"];

  /** To be called after a server is connected. */
  useFastCallPath(fastCallPath: FastCallPath | undefined): void {
    this.#fastCallPath = fastCallPath;
    const { onmessage } = this;
    this.#passToSdk = onmessage;
    this.onmessage = (message, extra) => {
      const cancelled = "method" in message && !("id" in message) ? cancelledBy(message) : undefined;
      if (cancelled === undefined) return onmessage?.(message, extra);
      if (fastCallPath?.cancel(cancelled)) return this.#endCancelledCall(cancelled);
      onmessage?.(message, extra);
      this.#endCancelledRequest(cancelled);
    };
  }

  /** Watches the response that the SDK writes for a request or, without an id, the stream for unrelated messages. */
  watch(id: RequestId | undefined, outgoing: ServerResponse): void {
    // The SDK refuses a second stream for unrelated messages and keeps the first.
    if (id === undefined && this.#streams.has(id)) return;
    this.#streams.set(id, outgoing);
    outgoing.once("close", () => {
      if (this.#streams.get(id) !== outgoing) return;
      this.#streams.delete(id);
      if (id !== undefined && !outgoing.writableFinished) this.#cancel(id);
    });
  }

  /** Returns whether the fast call path handles the message. The response is then written to `outgoing`. */
  handleFastCall(message: JSONRPCMessage, outgoing: ServerResponse, heartbeatMs: number): boolean {
    if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return false;
    const { id } = message;
    const isHandled = this.#fastCallPath?.handle(message, (result) => {
      const open = this.#callResponses.get(id);
      this.#callResponses.delete(id);
      open?.end(result);
    });
    if (!isHandled) return false;
    const response = new CallResponse(outgoing, heartbeatMs);
    this.#callResponses.set(id, response);
    outgoing.once("close", () => {
      // After this call has ended, another call may use the same id.
      if (this.#callResponses.get(id) !== response) return;
      this.#callResponses.delete(id);
      this.#fastCallPath?.cancel(id);
    });
    return true;
  }

  /** Makes the SDK cancel a request whose connection was closed. */
  #cancel(requestId: RequestId): void {
    const params = { requestId, reason: "The connection was closed." };
    const pass = this.#passToSdk ?? this.onmessage;
    pass?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    this.#endCancelledRequest(requestId);
  }

  /** The SDK keeps the id of a cancelled request until it is answered. This answer is sent to a closed stream. */
  #endCancelledRequest(id: RequestId): void {
    this.closeSSEStream(id);
    const error = { code: -32_000, message: "The request was cancelled." };
    void super.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  }

  #endCancelledCall(id: RequestId): void {
    this.#callResponses.get(id)?.cancel();
    this.#callResponses.delete(id);
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const { relatedRequestId } = options ?? {};
    const response = relatedRequestId === undefined ? undefined : this.#callResponses.get(relatedRequestId);
    if (response) return response.send(message);
    await super.send(message, options);
    // The SDK itself buffers without a limit.
    await waitForDrain(this.#streams.get(relatedRequestId));
  }

  override async close(): Promise<void> {
    for (const [id, response] of this.#callResponses) {
      response.end({ jsonrpc: "2.0", id, error: { code: -32_000, message: "The session has ended." } });
    }
    this.#callResponses.clear();
    await super.close();
  }
}

/**
 * The HTTP response to one `tools/call`. It is plain JSON, unless a message has to be sent before the result or the call runs
 * longer than a heartbeat: then it is an event stream that ends with the result.
 */
class CallResponse {
  readonly #outgoing: ServerResponse;
  readonly #events: EventStream;

  constructor(outgoing: ServerResponse, heartbeatMs: number) {
    this.#outgoing = outgoing;
    this.#events = new EventStream(outgoing, heartbeatMs);
  }

  /** Sends a message before the result. Resolves when the client can be sent more. */
  async send(message: JSONRPCMessage): Promise<void> {
    this.#events.send("message", message);
    await this.#events.waitForDrain();
  }

  /** Ends the response without a result. */
  cancel(): void {
    if (this.#events.hasBegun) return this.#events.end();
    this.#events.stop();
    this.#outgoing.writeHead(202).end();
  }

  end(result: JSONRPCMessage): void {
    if (this.#outgoing.destroyed) return;
    if (this.#events.hasBegun) {
      this.#events.send("message", result);
      return this.#events.end();
    }
    this.#events.stop();
    const body = JSON.stringify(result);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    this.#outgoing.writeHead(200, headers).end(body);
  }
}
