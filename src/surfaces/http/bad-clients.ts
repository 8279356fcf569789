import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Pipelining } from "./pipelining.ts";
import type { Refusal } from "./refusal.ts";

/** Ends connections on which something came that is no request, or none that ends. */
export function endBadConnections(server: Server, pipelining: Pipelining): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else pipelining.end(socket, refusalOf(error));
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
