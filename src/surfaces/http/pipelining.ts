import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Refusal, rawRefusal } from "./refusal.ts";

/** How many requests of one connection may wait for their turn. */
const MOST_WAITING = 16;

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Connection {
  /** The response whose turn it is, or was last. */
  current: ServerResponse;
  waiting: number;
}

/**
 * Serves the requests of a connection one at a time, in their order. Node notices that a client has closed its connection
 * only while it reads from it, so nothing may stop the reading while a request is being served: a client that sends more
 * than can be kept behind such a request loses its connection.
 */
export class Pipelining {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #refused: (refusal: Refusal) => void;

  /** `refused` is told why a connection is ended. */
  constructor(refused: (refusal: Refusal) => void) {
    this.#refused = refused;
  }

  /** Calls `serve` when it is the turn of this request, unless the client closes the connection before. */
  add(incoming: IncomingMessage, outgoing: ServerResponse, serve: Serve): void {
    const { socket } = incoming;
    const connection = this.#connections.get(socket) ?? this.#follow(socket, outgoing);
    // Node gives a response its socket when the responses before it are finished.
    if (outgoing.socket !== null) {
      connection.current = outgoing;
      return serve(incoming, outgoing);
    }
    connection.waiting += 1;
    const refusal = refusalOf(incoming, connection);
    if (refusal) return this.end(socket, refusal);
    outgoing.once("socket", () => {
      connection.waiting -= 1;
      connection.current = outgoing;
      if (socket.readableEnded) socket.destroy();
      else serve(incoming, outgoing);
    });
  }

  /** Ends a connection. The client is told why, unless a response to it has begun. */
  end(socket: Socket, refusal: Refusal): void {
    const current = this.#connections.get(socket)?.current;
    const isAnswering = current?.headersSent === true && !current.writableFinished;
    if (socket.writable && !isAnswering) {
      this.#refused(refusal);
      socket.write(rawRefusal(refusal));
    }
    socket.destroy();
  }

  #follow(socket: Socket, current: ServerResponse): Connection {
    const connection = { current, waiting: 0 };
    this.#connections.set(socket, connection);
    // Node would first wait until the client has read what was written: a client that sends nothing more need not read.
    socket.once("end", () => {
      if (!connection.current.writableEnded) socket.destroy();
    });
    return connection;
  }
}

const TOO_MANY: Refusal = {
  code: "too_many_requests",
  message: `More than ${MOST_WAITING} requests of this connection are waiting. Wait for answers before you send more, or use several connections.`,
};

const TOO_LARGE_TO_WAIT: Refusal = {
  code: "too_many_requests",
  message:
    "A request with a large body was sent before the one ahead of it was answered. Wait for that answer, or use another connection.",
};

/** Why a request cannot wait: Node would stop reading from its connection. */
function refusalOf(incoming: IncomingMessage, { current, waiting }: Connection): Refusal | undefined {
  if (waiting > MOST_WAITING) return TOO_MANY;
  // Nothing runs for a response that has been written.
  if (waiting === 1 && current.writableEnded) return undefined;
  return incoming.socket.isPaused() || !fitsIntoBuffer(incoming) ? TOO_LARGE_TO_WAIT : undefined;
}

function fitsIntoBuffer({ headers, readableHighWaterMark }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) < readableHighWaterMark;
}
