import { ANTHROPIC } from "../../agents/anthropic-wire.ts";
import type { AgentRow } from "../agent-row.ts";

export const CLAUDE: AgentRow = {
  requirement: "G1",
  name: "claude",
  allCases: true,
  folder: "claude-agent-sdk",
  wire: ANTHROPIC,
  model: "claude-sonnet-4-5",
  baseUrl: (origin) => origin,
  env: () => ({ ANTHROPIC_API_KEY: "dummy", CLAUDE_CODE_MAX_RETRIES: "0" }),
  toolName: (name) => `mcp__toolwright__${name}`,
  ownTool: {
    logged: "claude:Write",
    call: (file, content) => ({ call: "Write", input: { file_path: file, content } }),
  },
  processes: /claude-agent-sdk-[a-z]/,
};
