import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { scale } from "./scale.js";

// Shown in the settings of the hosted server.
export const configSchema = z.object({
  unit: z.enum(["g", "oz"]).default("g").describe("The unit of weights"),
  debug: z.boolean().optional(),
});

export const stateful = false;

export default function createServer({ config }: { config: z.infer<typeof configSchema> }) {
  const server = new McpServer({ name: "recipes", version: "1.0.0" });
  server.registerTool(
    "scale_recipe",
    {
      title: "Scale a recipe",
      description: "Scales the amounts of a recipe to another number of portions.",
      inputSchema: {
        amounts: z.record(z.string(), z.number()).describe("Amount by ingredient"),
        from: z.number().positive().describe("Portions of the recipe"),
        to: z.number().positive().describe("Portions that are needed"),
      },
    },
    async ({ amounts, from, to }) => {
      const lines = Object.entries(amounts).map(([name, amount]) => `${name}: ${scale(amount, from, to)} ${config.unit}`);
      return { content: [{ type: "text" as const, text: lines.join("\n") }] };
    },
  );
  return server.server;
}
