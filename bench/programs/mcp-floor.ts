/** A minimal hand-written server for the requests of the MCP cases. Started by the MCP cases. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly name?: string } };
}

const INPUT = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const RESULTS: Readonly<Record<string, (request: Request) => object>> = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "floor", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "hello", description: "Says hello", inputSchema: INPUT }] }),
  "tools/call": ({ params }) => ({ content: [{ type: "text", text: `Hello, ${params?.arguments?.name}` }] }),
};

if (process.argv[2] === "http") overHttp();
else overStdio();

function answer(line: string): string | undefined {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) return undefined;
  return JSON.stringify({ jsonrpc: "2.0", id: request.id, result: RESULTS[request.method]?.(request) ?? {} });
}

function overStdio(): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const reply = answer(line);
      if (reply !== undefined) process.stdout.write(`${reply}\n`);
    }
  });
}

function overHttp(): void {
  const server = createServer(async (request, response) => {
    const reply = answer(await text(request));
    response.writeHead(reply === undefined ? 202 : 200, { "content-type": "application/json" }).end(reply);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
  });
}
