import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { type ErrorResponse, sendErrorResponse, toErrorResponse } from "../../http/parts/error-response.ts";
import { bodyGuard } from "../../http/parts/guards/body.ts";
import { allGuards } from "../../http/parts/guards/guard.ts";
import { hostGuard } from "../../http/parts/guards/host.ts";
import { originGuard } from "../../http/parts/guards/origin.ts";
import { SECURITY_HEADERS } from "../../http/parts/json-response.ts";
import { OpenBodies } from "../../http/parts/open-bodies.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { readRpcBody, rpcErrorResponse } from "./read-rpc-body.ts";

const HOST = "127.0.0.1";
const BODY = { bodyBytes: 4_000_000, depth: 500 };
const OPEN_BODY_BYTES = 64_000_000;

/** The port that the sessions of this process share. */
let current: SessionPort | undefined;

/** Adds an endpoint for a token. Returns the address without the token, and a function that removes the endpoint. */
export async function addEndpoint(
  token: string,
  endpoint: McpEndpoint,
): Promise<{ url: string; remove(): Promise<void> }> {
  current ??= new SessionPort();
  const port = current;
  const key = digest(token);
  port.endpoints.set(key, endpoint);
  const remove = async (): Promise<void> => {
    port.endpoints.delete(key);
    if (port.endpoints.size > 0) return;
    if (current === port) current = undefined;
    await port.close();
  };
  try {
    return { url: `http://${HOST}:${await port.listening}/mcp`, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** An HTTP server on the loopback interface. A request names its endpoint by a token, in the path or as a bearer token. */
class SessionPort {
  readonly endpoints = new Map<string, McpEndpoint>();
  /** The number of the port. */
  readonly listening: Promise<number>;
  readonly #server: Server;
  readonly #openBodies = new OpenBodies(OPEN_BODY_BYTES);

  constructor() {
    const handle = getRequestListener((request, env) => this.#serve(request, env as HttpBindings), {
      errorHandler: () => toErrorResponse(NOT_FOUND),
    });
    const guard = allGuards([
      hostGuard({ bound: HOST, allowed: [] }),
      originGuard([]),
      (incoming) => (this.#endpointOf(incoming) ? undefined : NOT_FOUND),
      bodyGuard(BODY.bodyBytes),
    ]);
    const respond = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      const error = guard(incoming);
      // An unread body would stop Node from reading the connection.
      if (error || incoming.method !== "POST") incoming.resume();
      if (error) sendErrorResponse(error, outgoing);
      else void handle(incoming, outgoing);
    };
    this.#server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, respond);
    this.listening = new Promise((resolve, reject) => {
      this.#server.on("error", reject);
      this.#server.listen(0, HOST, () => resolve((this.#server.address() as AddressInfo).port));
    });
    // A session without a turn does not keep the process alive.
    this.#server.unref();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
    const endpoint = this.#endpointOf(incoming);
    if (!endpoint) return toErrorResponse(NOT_FOUND);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value);
    if (request.method !== "POST") return endpoint.serve(request, undefined, outgoing as ServerResponse);
    const body = await readRpcBody(incoming as IncomingMessage, { ...BODY, openBodies: this.#openBodies });
    if (body.kind === "message") return endpoint.serve(request, body.message, outgoing as ServerResponse);
    return rpcErrorResponse(toErrorResponse(body.error).status, body.rpcCode, body.error.message);
  }

  #endpointOf({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): McpEndpoint | undefined {
    const [, inPath] = /^\/mcp(?:\/([\w-]+))?(?:\?.*)?$/.exec(url) ?? [];
    const [, asBearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
    const token = inPath ?? (url.startsWith("/mcp") ? asBearer : undefined);
    return token === undefined ? undefined : this.endpoints.get(digest(token));
  }
}

/** A request without a valid token does not learn whether a session exists. */
const NOT_FOUND: ErrorResponse = {
  code: "not_found",
  message: "There is no session at this address. It has ended, or the token is wrong.",
};

/** Tokens are looked up by digest, so that the time of a comparison reveals nothing about them. */
function digest(token: string): string {
  return hash("sha256", token);
}
