import type { ServerResponse } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { EventStream } from "../../http/parts/event-stream.ts";

/**
 * The HTTP response to one `tools/call`. It is plain JSON, unless a message has to be sent before the result or the call runs
 * longer than a heartbeat: then it is an event stream that ends with the result.
 */
export class CallResponse {
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
