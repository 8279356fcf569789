import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";

const TERMS: Record<string, string> = { host: "The process that runs the code of tool files." };

serveStdio(() => {
  const server = new McpServer({ name: "glossary", version: "2.0.0" });
  server.registerTool(
    "define_term",
    {
      description: "Explains a term of the project.",
      inputSchema: z.object({ term: z.string().describe("The term") }),
    },
    async ({ term }, ctx) => {
      await ctx.mcpReq.log("info", `Looking up ${term}`);
      const text = TERMS[term.toLowerCase()];
      if (text === undefined) throw new Error(`"${term}" is not in the glossary`);
      return { content: [{ type: "text", text }] };
    },
  );
  return server;
});
