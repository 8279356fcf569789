import { SCHEMAS } from "../support/agents/agent-tools.ts";
import { CHAT } from "../support/agents/chat-wire.ts";
import { describeAgent } from "../support/agents/describe-agent.ts";

await describeAgent({
  name: "Copilot CLI",
  id: "copilot",
  program: "copilot",
  wire: CHAT,
  config: { file: ".copilot/mcp-config.json", before: () => '{\n  "mcpServers": {}\n}\n' },
  args: ["--prompt", "Note the cheese.", "--silent", "--allow-tool", "toolwright"],
  env: (origin) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "scripted",
  }),
  named: (tool) => `toolwright-${tool}`,
  // It puts bounds into words itself.
  schemas: {
    find: {
      type: "object",
      properties: {
        text: { type: "string", description: "What the line says." },
        line: { type: "integer", description: "The number of the line.\n\n{minimum: 1, maximum: 99}" },
      },
    },
    note: {
      type: "object",
      properties: {
        text: { type: "string", description: "The line to add." },
        times: { type: "integer", default: 2, description: "How often to add it.\n\n{minimum: 1, maximum: 9}" },
      },
      required: ["text"],
    },
    print: SCHEMAS.print,
  },
  answers: [
    { text: "Added 2 times: Käse" },
    { text: "Found 2 lines." },
    { text: "MCP server 'toolwright': The printer is out of paper: fill it up, then print again." },
  ],
});
