import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type CallLane, cancelledBy } from "../../mcp/call-lane.ts";
import { CallAnswer } from "./call-answer.ts";

/** The messages of one session. Calls in which nothing is out of the ordinary take the lane, if there is one. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  /** Those that calls in the lane wait for. */
  readonly #answers = new Map<RequestId, CallAnswer>();
  #lane: CallLane | undefined;
  /** Where messages go that are not for the lane. */
  #pass: WebStandardStreamableHTTPServerTransport["onmessage"];

  /** To be called when a server is connected. */
  useLane(lane: CallLane): void {
    this.#lane = lane;
    const { onmessage } = this;
    this.#pass = onmessage;
    this.onmessage = (message, extra) => {
      const cancelled = "method" in message && !("id" in message) ? cancelledBy(message) : undefined;
      if (cancelled === undefined) return onmessage?.(message, extra);
      if (lane.cancel(cancelled)) return this.#drop(cancelled);
      onmessage?.(message, extra);
      // Nothing more is said about it: whoever waits would wait for ever.
      this.closeSSEStream(cancelled);
    };
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
  cancel(requestId: RequestId): void {
    const params = { requestId, reason: "The connection was closed." };
    const pass = this.#pass ?? this.onmessage;
    pass?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }

  #drop(id: RequestId): void {
    this.#answers.get(id)?.drop();
    this.#answers.delete(id);
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const { relatedRequestId } = options ?? {};
    const open = relatedRequestId === undefined ? undefined : this.#answers.get(relatedRequestId);
    return open ? open.say(message) : super.send(message, options);
  }

  override async close(): Promise<void> {
    for (const [id, open] of this.#answers) {
      open.end({ jsonrpc: "2.0", id, error: { code: -32_000, message: "The session has ended." } });
    }
    this.#answers.clear();
    await super.close();
  }
}
