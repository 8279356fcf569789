import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type CallLane, cancelledBy } from "../../mcp/call-lane.ts";
import { CallAnswer } from "./call-answer.ts";
import { drained } from "./drained.ts";

/** The messages of one session. Calls in which nothing is out of the ordinary take the lane, if there is one. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  /** Those that calls in the lane wait for. */
  readonly #answers = new Map<RequestId, CallAnswer>();
  /** The responses of requests that the SDK serves; of the stream that belongs to no request under `undefined`. */
  readonly #streams = new Map<RequestId | undefined, ServerResponse>();
  #lane: CallLane | undefined;
  /** Where messages go that are not for the lane. */
  #pass: WebStandardStreamableHTTPServerTransport["onmessage"];

  /** To be called when a server is connected, with its lane, if it has one. */
  useLane(lane: CallLane | undefined): void {
    this.#lane = lane;
    const { onmessage } = this;
    this.#pass = onmessage;
    this.onmessage = (message, extra) => {
      const cancelled = "method" in message && !("id" in message) ? cancelledBy(message) : undefined;
      if (cancelled === undefined) return onmessage?.(message, extra);
      if (lane?.cancel(cancelled)) return this.#drop(cancelled);
      onmessage?.(message, extra);
      this.#forget(cancelled);
    };
  }

  /** Remembers where the SDK writes the answer to a request, or, without an id, messages that belong to none. */
  watch(id: RequestId | undefined, outgoing: ServerResponse): void {
    // The SDK refuses a second stream of that kind, and goes on with the first.
    if (id === undefined && this.#streams.has(id)) return;
    this.#streams.set(id, outgoing);
    outgoing.once("close", () => {
      if (this.#streams.get(id) !== outgoing) return;
      this.#streams.delete(id);
      if (id !== undefined && !outgoing.writableFinished) this.#cancel(id);
    });
  }

  /** Answers a message by itself, if that is for the lane. */
  take(message: JSONRPCMessage, outgoing: ServerResponse, heartbeatMs: number): boolean {
    if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return false;
    const { id } = message;
    const taken = this.#lane?.take(message, (answer) => {
      const open = this.#answers.get(id);
      this.#answers.delete(id);
      open?.end(answer);
    });
    if (!taken) return false;
    const open = new CallAnswer(outgoing, heartbeatMs);
    this.#answers.set(id, open);
    // Nobody can fetch the answer any more. Another call may have the id by now, where this one has its answer.
    outgoing.once("close", () => {
      if (this.#answers.get(id) !== open) return;
      this.#answers.delete(id);
      this.#lane?.cancel(id);
    });
    return true;
  }

  /** The connection of a request that was not for the lane is gone: what runs for it is told to stop. */
  #cancel(requestId: RequestId): void {
    const params = { requestId, reason: "The connection was closed." };
    const pass = this.#pass ?? this.onmessage;
    pass?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    this.#forget(requestId);
  }

  /** Ends the response to a request that was cancelled. The SDK keeps its id until it is answered: this answer goes nowhere. */
  #forget(id: RequestId): void {
    this.closeSSEStream(id);
    const error = { code: -32_000, message: "The request was cancelled." };
    void super.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  }

  #drop(id: RequestId): void {
    this.#answers.get(id)?.drop();
    this.#answers.delete(id);
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const { relatedRequestId } = options ?? {};
    const open = relatedRequestId === undefined ? undefined : this.#answers.get(relatedRequestId);
    if (open) return open.say(message);
    await super.send(message, options);
    // The SDK would keep whatever its reader has not read.
    await drained(this.#streams.get(relatedRequestId));
  }

  override async close(): Promise<void> {
    for (const [id, open] of this.#answers) {
      open.end({ jsonrpc: "2.0", id, error: { code: -32_000, message: "The session has ended." } });
    }
    this.#answers.clear();
    await super.close();
  }
}
