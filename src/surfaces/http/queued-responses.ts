import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Responses that wait for another one on their connection, because a client has sent its next request before the answer
 * to the last. When the connection goes, older versions of Node tell only the first of them; these are told here.
 */
export class QueuedResponses {
  readonly #queued = new WeakMap<Duplex, Set<ServerResponse>>();

  /** To be called when the request has just come: a response that is first has its connection already. */
  watch({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (outgoing.socket !== null) return;
    const queued = this.#queued.get(socket) ?? this.#follow(socket);
    queued.add(outgoing);
    outgoing.once("close", () => queued.delete(outgoing));
  }

  #follow(socket: Duplex): Set<ServerResponse> {
    const queued = new Set<ServerResponse>();
    this.#queued.set(socket, queued);
    // Whoever is told by Node is told before this.
    socket.once("close", () => void setImmediate(() => closeAll(queued)));
    return queued;
  }
}

function closeAll(queued: ReadonlySet<ServerResponse>): void {
  for (const outgoing of [...queued]) {
    outgoing.destroy();
    outgoing.emit("close");
  }
}
