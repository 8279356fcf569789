#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "units", version: "1.0.0" });

server.registerTool(
  "celsius_to_fahrenheit",
  {
    title: "Celsius to Fahrenheit",
    description: "Converts a temperature from Celsius to Fahrenheit.",
    inputSchema: { celsius: z.number().describe("The temperature in °C") },
    outputSchema: { fahrenheit: z.number() },
    annotations: { readOnlyHint: true },
  },
  async ({ celsius }) => {
    const structuredContent = { fahrenheit: (celsius * 9) / 5 + 32 };
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  },
);

server.tool(
  "miles_to_km",
  "Converts miles to kilometres. Rounds to two digits unless told otherwise.",
  { miles: z.number().min(0).describe("The distance"), digits: z.number().int().default(2) },
  async ({ miles, digits }) => ({ content: [{ type: "text", text: `${(miles * 1.609344).toFixed(digits)} km` }] }),
);

async function main() {
  const transport = new StdioServerTransport();
  await server.connect(transport);
  console.error("Units MCP Server running on stdio");
}

main().catch((error) => {
  console.error("Fatal error in main():", error);
  process.exit(1);
});
