import { FIND_EITHER, SCHEMAS } from "../support/agents/agent-tools.ts";
import { ANTHROPIC } from "../support/agents/anthropic-wire.ts";
import { describeAgent } from "../support/agents/describe-agent.ts";

await describeAgent({
  name: "Claude Code",
  id: "claude-code",
  program: "claude",
  wire: ANTHROPIC,
  config: {
    file: ".claude.json",
    before: () => '{\n  "hasCompletedOnboarding": true\n}\n',
    after: (used) => JSON.stringify({ ...JSON.parse(used), mcpServers: {} }, null, 2),
  },
  args: ["-p", "Note the cheese.", "--model", "scripted", "--allowedTools", "mcp__toolwright"],
  env: (origin) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // Otherwise it begins to talk while the server is still starting.
    MCP_CONNECTION_NONBLOCKING: "false",
    // Otherwise its model has to search for the tools of servers before it is shown them.
    ENABLE_TOOL_SEARCH: "false",
  }),
  named: (tool) => `mcp__toolwright__${tool}`,
  schemas: { ...SCHEMAS, find: FIND_EITHER },
  answers: [
    { text: "Added 2 times: Käse" },
    { text: "Found 2 lines." },
    { text: "The printer is out of paper: fill it up, then print again.", failed: true },
  ],
});
