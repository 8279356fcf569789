/** The SDK's low-level server with one tool, over stdio, or over HTTP with sessions. Started by the MCP cases. */
import { serve } from "@hono/node-server";
import {
  isInitializeRequest,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const INPUT: Tool["inputSchema"] = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

if (process.argv[2] === "http") overHttp();
else await createServer().connect(new StdioServerTransport());

function createServer(): Server {
  const server = new Server({ name: "sdk", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "hello", description: "Says hello", inputSchema: INPUT }],
  }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: `Hello, ${params.arguments?.name}` }],
  }));
  return server;
}

function overHttp(): void {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const fetch = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    const parsedBody: unknown = await request.json();
    if (known) return known.handleRequest(request, { parsedBody });
    if (!isInitializeRequest(parsedBody)) return new Response(null, { status: 400 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody });
  };
  serve({ fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
  });
}
