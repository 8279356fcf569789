import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Refusal, rawRefusal } from "./refusal.ts";

/** A request is told of once, by one of these. */
const REQUESTS = ["request", "checkContinue", "checkExpectation"];

/**
 * Answers what is no request, or none that ends, like anything else that is refused, tells `refused`, and ends the
 * connection. On a connection on which an answer is being sent there is nothing more to say.
 */
export function answerBadClients(server: Server, refused: (refusal: Refusal) => void): void {
  const current = new WeakMap<Duplex, ServerResponse>();
  for (const event of REQUESTS) {
    server.on(event, ({ socket }: IncomingMessage, outgoing: ServerResponse) => void current.set(socket, outgoing));
  }
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = current.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (socket.writable && !isAnswering && error.code !== "ECONNRESET") {
      const refusal = refusalOf(error);
      refused(refusal);
      socket.write(rawRefusal(refusal));
    }
    socket.destroy();
  });
}

function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "timeout", message: "The request did not come in time. Send it faster, body included." };
    case "HPE_HEADER_OVERFLOW":
      return { code: "headers_too_large", message: "The headers are too large. Send less." };
    default:
      return { code: "bad_request", message: "This is not a valid HTTP request." };
  }
}
