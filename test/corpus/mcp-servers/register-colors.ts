import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const name = "mix-colors";
const config = {
  title: "Mix colors",
  description: "Mixes two colors, each as #rrggbb.",
  inputSchema: { first: z.string().describe("#rrggbb"), second: z.string().describe("#rrggbb") },
};

const parse = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/**
 * Registers the 'mix-colors' tool.
 */
export const registerMixColorsTool = (server: McpServer) => {
  server.registerTool(name, config, async ({ first, second }) => {
    const [a, b] = [parse(first), parse(second)];
    const mixed = a.map((each, at) => Math.round((each + (b[at] ?? 0)) / 2));
    const text = `#${mixed.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
    return { content: [{ type: "text", text }] };
  });
};
