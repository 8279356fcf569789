const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { z } = require("zod");

const server = new McpServer({ name: "ledger", version: "0.1.0" });

server.tool("balance", "Sums the amounts of a ledger.", { amounts: z.array(z.number()) }, async ({ amounts }) => ({
  content: [{ type: "text", text: String(amounts.reduce((sum, each) => sum + each, 0)) }],
}));

server.tool("ledger_currency", "Names the currency of the ledger.", async () => ({
  content: [{ type: "text", text: "EUR" }],
}));

module.exports = { server };
