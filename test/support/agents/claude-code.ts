import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { CLOSED, FIND_EITHER, SCHEMAS } from "./agent-tools.ts";
import { ANTHROPIC } from "./anthropic-wire.ts";

export const CLAUDE_CODE: Agent = {
  name: "Claude Code",
  id: "claude-code",
  program: "claude",
  wire: ANTHROPIC,
  config: {
    file: ".claude.json",
    before: () => '{\n  "hasCompletedOnboarding": true\n}\n',
    after: (used) => JSON.stringify({ ...JSON.parse(used), mcpServers: {} }, null, 2),
    projectFile: ".mcp.json",
    approve: ({ project }) =>
      put(join(project, ".claude/settings.local.json"), '{ "enabledMcpjsonServers": ["toolwright"] }'),
  },
  args: ["-p", "Note the cheese.", "--model", "claude-sonnet-4-5", "--allowedTools", "mcp__toolwright"],
  hidesWith: {},
  env: (origin) => ({
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  named: (tool) => `mcp__toolwright__${tool}`,
  schemas: {
    ...SCHEMAS,
    find: FIND_EITHER,
    count: {
      type: "object",
      $defs: { word: { type: ["string", "null"], description: "The word" } },
      properties: {
        word: { $ref: "#/$defs/word" },
        most: { type: ["integer", "string"], description: "Where to stop" },
      },
      required: ["word"],
    },
  },
  longName: "count_the_words_of_a_text_and_tell_how_1f5cfb0",
  resultFor: ({ words, failed }) => ({ text: words, ...(failed ? { failed } : {}) }),
  // Claude Code adds the number of tokens that are left.
  normalize: (text) =>
    text.replace(/\n\n<system-reminder>\n<total_tokens>.*<\/total_tokens>\n<\/system-reminder>$/, ""),
  unanswered: CLOSED,
  passesImages: true,
};
