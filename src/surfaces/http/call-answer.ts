import type { ServerResponse } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { EventStream } from "./event-stream.ts";

/**
 * The answer to one call of an MCP client: plain JSON, unless something has to be said before it, or it is long in coming.
 * Then it is a stream of events, the answer last.
 */
export class CallAnswer {
  readonly #outgoing: ServerResponse;
  readonly #events: EventStream;

  constructor(outgoing: ServerResponse, heartbeatMs: number) {
    this.#outgoing = outgoing;
    this.#events = new EventStream(outgoing, heartbeatMs);
  }

  /** Resolves when more can be said: a tool that tells a lot waits for its reader. */
  async say(message: JSONRPCMessage): Promise<void> {
    this.#events.send("message", message);
    await this.#events.room();
  }

  /** There will be no answer: whoever waited for it has said so. */
  drop(): void {
    if (this.#events.hasBegun) return this.#events.end();
    this.#events.stop();
    this.#outgoing.writeHead(202).end();
  }

  end(answer: JSONRPCMessage): void {
    if (this.#outgoing.destroyed) return;
    if (this.#events.hasBegun) {
      this.#events.send("message", answer);
      return this.#events.end();
    }
    this.#events.stop();
    const body = JSON.stringify(answer);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    this.#outgoing.writeHead(200, headers).end(body);
  }
}
