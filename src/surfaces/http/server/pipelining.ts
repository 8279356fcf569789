import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ErrorResponse, rawErrorResponse } from "../parts/error-response.ts";

/** The limit of waiting requests per connection. */
const MAX_WAITING = 16;

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Connection {
  /** The response that is being served, or was served last. */
  current: ServerResponse;
  waiting: number;
}

/**
 * Serves the requests of a connection one at a time, in order. Node notices that a client has closed its connection only
 * while it reads from it, so reading must not stop while a request is served. A client that pipelines more than fits into
 * Node's buffers is therefore disconnected.
 */
export class Pipelining {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #onError: (error: ErrorResponse) => void;

  /** `onError` is called with each error that closes a connection. */
  constructor(onError: (error: ErrorResponse) => void) {
    this.#onError = onError;
  }

  /** Calls `serve` after the requests before it, unless the client closes the connection first. */
  add(incoming: IncomingMessage, outgoing: ServerResponse, serve: Serve): void {
    const { socket } = incoming;
    const connection = this.#connections.get(socket) ?? this.#addConnection(socket, outgoing);
    // Node gives a response its socket when the responses before it are finished.
    if (outgoing.socket !== null) {
      connection.current = outgoing;
      return serve(incoming, outgoing);
    }
    connection.waiting += 1;
    const error = queueError(incoming, connection);
    if (error) return this.close(socket, error);
    outgoing.once("socket", () => {
      connection.waiting -= 1;
      connection.current = outgoing;
      if (socket.readableEnded) socket.destroy();
      else serve(incoming, outgoing);
    });
  }

  /** Closes a connection. Sends the error, unless another response has begun. */
  close(socket: Socket, error: ErrorResponse): void {
    const current = this.#connections.get(socket)?.current;
    const isAnswering = current?.headersSent === true && !current.writableFinished;
    if (socket.writable && !isAnswering) {
      this.#onError(error);
      socket.write(rawErrorResponse(error));
    }
    socket.destroy();
  }

  #addConnection(socket: Socket, current: ServerResponse): Connection {
    const connection = { current, waiting: 0 };
    this.#connections.set(socket, connection);
    // Node would wait until the client has read what was written, but a client that has ended its side may never read.
    socket.once("end", () => {
      if (!connection.current.writableEnded) socket.destroy();
    });
    return connection;
  }
}

const TOO_MANY: ErrorResponse = {
  code: "too_many_requests",
  message: `More than ${MAX_WAITING} requests of this connection are waiting. Wait for answers before you send more, or use several connections.`,
};

const TOO_LARGE_TO_WAIT: ErrorResponse = {
  code: "too_many_requests",
  message:
    "A request with a large body was sent before the one ahead of it was answered. Wait for that answer, or use another connection.",
};

/** The error for a request that cannot wait, because Node would stop reading from the connection. */
function queueError(incoming: IncomingMessage, { current, waiting }: Connection): ErrorResponse | undefined {
  if (waiting > MAX_WAITING) return TOO_MANY;
  // The response before is complete, so no work has to be aborted when the client disconnects.
  if (waiting === 1 && current.writableEnded) return undefined;
  return incoming.socket.isPaused() || !fitsIntoBuffer(incoming) ? TOO_LARGE_TO_WAIT : undefined;
}

function fitsIntoBuffer({ headers, readableHighWaterMark }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) < readableHighWaterMark;
}

/** Answers input that is not a valid HTTP request, and closes its connection. */
export function handleClientErrors(server: Server, pipelining: Pipelining): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else pipelining.close(socket, parseError(error));
  });
}

/** Servers on other ports of this host can set so many cookies that a browser could no longer send any request. */
const WITHOUT_COOKIES = { "clear-site-data": '"cookies"' };

function parseError({ code }: NodeJS.ErrnoException): ErrorResponse {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "timeout", message: "The request did not arrive in time. Send it faster, body included." };
    case "HPE_HEADER_OVERFLOW":
      return { code: "headers_too_large", message: "The headers are too large. Send less.", headers: WITHOUT_COOKIES };
    default:
      return { code: "bad_request", message: "This is not a valid HTTP request." };
  }
}
