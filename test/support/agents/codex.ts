import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import { DECLINED, SCHEMAS } from "./agent-tools.ts";
import { RESPONSES } from "./responses-wire.ts";

export const CODEX: Agent = {
  name: "Codex",
  id: "codex",
  program: "codex",
  wire: RESPONSES,
  config: {
    file: ".codex/config.toml",
    before: (origin) => `model = "gpt-5.5" # on this machine
model_provider = "local"

[model_providers.local]
name = "Local"
base_url = "${origin}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
    projectFile: ".codex/config.toml",
    approve: ({ home, project }) =>
      appendFileSync(
        join(home, ".codex/config.toml"),
        `\n[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
      ),
  },
  install: ["--allow"],
  // Plugins would be fetched from the network.
  args: ["exec", "--skip-git-repo-check", "--disable", "plugins", "Note the cheese."],
  waitArgs: ["-c", "mcp_servers.toolwright.required=true"],
  hidesWith: {},
  named: (tool) => `mcp__toolwright.${tool.replaceAll("-", "_")}`,
  // Codex drops bounds and defaults, so they are in the descriptions.
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
    count: {
      type: "object",
      properties: {
        word: { type: ["string", "null"], description: "The word" },
        most: { type: ["integer", "string"], description: "Where to stop" },
      },
      required: ["word"],
    },
  },
  longName: "count_the_words_of_a_text_and_tell_how_1f5cfb0",
  resultFor: ({ words }) => ({ text: `Wall time: N seconds\nOutput:\n${words}` }),
  normalize: (text) => text.replace(/^Wall time: [\d.]+ seconds$/m, "Wall time: N seconds"),
  unanswered: DECLINED,
  passesImages: true,
};
