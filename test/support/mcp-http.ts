import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Protocol } from "../../src/surfaces/mcp/index.ts";

/** Serves a protocol on a local port, for both eras and without a token. */
export async function serveHttp(protocol: Protocol): Promise<{ url: string; close(): Promise<void> }> {
  const modern = createMcpHandler(protocol.once, { legacy: "reject" });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const stop = protocol.onChange((change) => {
    if (change.kind === "tools") modern.notify.toolsChanged();
    else modern.notify.resourceUpdated(change.uri);
  });
  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null)
      return sessions.get(id)?.handleRequest(request) ?? new Response("No such session.", { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    const server = await protocol.connect({ era: "legacy", requestInfo: request });
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const fetch = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request));
  const server = createServer(getRequestListener(fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => close(server) };

  async function close(http: Server): Promise<void> {
    stop();
    await modern.close();
    await Promise.all([...sessions.values()].map((each) => each.close()));
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}
