import { SCHEMAS } from "../support/agents/agent-tools.ts";
import { describeAgent } from "../support/agents/describe-agent.ts";
import { RESPONSES } from "../support/agents/responses-wire.ts";

await describeAgent({
  name: "Codex",
  id: "codex",
  program: "codex",
  wire: RESPONSES,
  config: {
    file: ".codex/config.toml",
    before: (origin) => `model = "scripted" # on this machine
model_provider = "local"

[model_providers.local]
name = "Local"
base_url = "${origin}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
  },
  args: [
    "exec",
    "--skip-git-repo-check",
    "--disable",
    "plugins",
    "-c",
    'mcp_servers.toolwright.default_tools_approval_mode="approve"',
    "-c",
    // Otherwise it begins to talk while the server is still starting.
    "mcp_servers.toolwright.required=true",
    "Note the cheese.",
  ],
  named: (tool) => `mcp__toolwright.${tool}`,
  // It knows no bounds and no defaults: they are in words.
  schemas: {
    find: {
      type: "object",
      properties: {
        text: { type: "string", description: "What the line says." },
        line: { type: "integer", description: "The number of the line. At least 1. At most 99." },
      },
    },
    note: {
      type: "object",
      properties: {
        text: { type: "string", description: "The line to add." },
        times: { type: "integer", description: "How often to add it. Default: 2. At least 1. At most 9." },
      },
      required: ["text"],
    },
    print: SCHEMAS.print,
  },
  answers: [
    { text: "Wall time: N seconds\nOutput:\nAdded 2 times: Käse" },
    { text: "Wall time: N seconds\nOutput:\nFound 2 lines." },
    { text: "Wall time: N seconds\nOutput:\nThe printer is out of paper: fill it up, then print again." },
  ],
  steady: (text) => text.replace(/^Wall time: [\d.]+ seconds$/m, "Wall time: N seconds"),
});
