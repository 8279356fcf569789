import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { DECLINED, MANY_FILES, SCHEMAS } from "./agent-tools.ts";
import { ANTHROPIC } from "./anthropic-wire.ts";

export const COPILOT: Agent = {
  name: "Copilot CLI",
  id: "copilot",
  program: "copilot",
  wire: ANTHROPIC,
  config: {
    file: ".copilot/mcp-config.json",
    before: () => '{\n  "mcpServers": {}\n}\n',
    projectFile: ".github/mcp.json",
    approve: ({ home, project }) =>
      put(join(home, ".copilot/config.json"), JSON.stringify({ trusted_folders: [project] })),
  },
  hidesWith: MANY_FILES,
  args: ["--prompt", "Note the cheese.", "--silent", "--allow-tool", "toolwright"],
  env: (origin) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_TYPE: "anthropic",
    COPILOT_PROVIDER_BASE_URL: origin,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "claude-sonnet-4.5",
  }),
  named: (tool) => `toolwright-${tool}`,
  // For models of Anthropic, Copilot moves bounds and defaults into the descriptions itself.
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
        times: { type: "integer", description: "How often to add it.\n\n{minimum: 1, maximum: 9}\n\n{default: 2}" },
      },
      required: ["text"],
    },
    print: SCHEMAS.print,
    count: {
      type: "object",
      $defs: { word: { type: "string", description: "The word\n\n{nullable: true}" } },
      properties: {
        word: { $ref: "#/$defs/word" },
        most: { anyOf: [{ type: "integer" }, { type: "string" }], description: "Where to stop" },
      },
      required: ["word"],
    },
  },
  longName: "count_the_words_of_a_text_and_tell_how_many_t_1f5cfb0",
  resultFor: ({ words, failed }) => ({ text: failed ? `MCP server 'toolwright': ${words}` : words }),
  unanswered: DECLINED,
  // Copilot does not pass images when it is offline.
  passesImages: false,
};
