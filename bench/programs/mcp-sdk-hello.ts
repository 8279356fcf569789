/** The server of the SDK's tutorial: one tool with a Zod schema, over stdio. Started by the MCP cases. */
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";

const server = new McpServer({ name: "hello", version: "1.0.0" });
server.registerTool(
  "hello",
  { description: "Says hello", inputSchema: z.object({ name: z.string() }) },
  async ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}` }] }),
);
await server.connect(new StdioServerTransport());
