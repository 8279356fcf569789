import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";

const BOOKMARKS = new Map([["docs", "https://example.com/docs"]]);

class BookmarkServer {
  constructor() {
    this.server = new Server({ name: "bookmarks", version: "0.2.0" }, { capabilities: { tools: {} } });
    this.setupHandlers();
    this.server.onerror = (error) => console.error("[MCP Error]", error);
    process.on("SIGINT", async () => {
      await this.server.close();
      process.exit(0);
    });
  }

  setupHandlers() {
    this.server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: [
        {
          name: "find_bookmark",
          description: "Returns the address of a bookmark by its name.",
          inputSchema: {
            type: "object",
            properties: { name: { type: "string", description: "The name of the bookmark" } },
            required: ["name"],
          },
        },
      ],
    }));
    this.server.setRequestHandler(CallToolRequestSchema, async (request) => {
      if (request.params.name !== "find_bookmark") throw new McpError(ErrorCode.MethodNotFound, "Unknown tool");
      const url = BOOKMARKS.get(request.params.arguments.name);
      if (!url) return { content: [{ type: "text", text: "There is no such bookmark." }], isError: true };
      return { content: [{ type: "text", text: url }] };
    });
  }

  async run() {
    await this.server.connect(new StdioServerTransport());
    console.log("Bookmarks server started");
  }
}

await new BookmarkServer().run();
