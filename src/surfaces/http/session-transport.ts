import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { CallLane } from "../../mcp/call-lane.ts";
import { CallAnswer } from "./call-answer.ts";

/** The messages of one session. Calls in which nothing is out of the ordinary take the lane, if there is one. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #answers = new Map<RequestId, CallAnswer>();
  #lane: CallLane | undefined;

  /** To be called when a server is connected. */
  useLane(lane: CallLane): void {
    this.#lane = lane;
    const { onmessage } = this;
    this.onmessage = (message, extra) => {
      const cancelled = cancelledBy(message);
      // The call may have taken the lane.
      if (cancelled === undefined || !lane.cancel(cancelled)) return onmessage?.(message, extra);
      this.#answers.get(cancelled)?.drop();
      this.#answers.delete(cancelled);
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
    if (taken) this.#answers.set(id, new CallAnswer(outgoing, heartbeatMs));
    return taken ?? false;
  }

  /** Nobody can fetch the answer to a request whose connection is gone: what runs for it is told to stop. */
  cancel(requestId: RequestId): void {
    this.#answers.delete(requestId);
    const params = { requestId, reason: "The connection was closed." };
    this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
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

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.requestId as RequestId | undefined;
}
