import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { FIND_EITHER, NOT_ASKED } from "./agent-tools.ts";
import { GEMINI } from "./gemini-wire.ts";

/** An argument that Gemini CLI adds to every tool and does not pass on. */
const ADDED = {
  wait_for_previous: {
    type: "boolean",
    description:
      "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
  },
};

export const GEMINI_CLI: Agent = {
  name: "Gemini CLI",
  id: "gemini",
  program: "gemini",
  wire: GEMINI,
  config: {
    file: ".gemini/settings.json",
    before: () => `{
  "security": { "auth": { "selectedType": "gemini-api-key" } }, // the key is in the environment
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
    projectFile: ".gemini/settings.json",
    approve: ({ home, project }) =>
      put(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" })),
  },
  install: ["--allow"],
  args: ["--skip-trust", "--model", "gemini-2.5-pro", "--prompt", "Note the cheese."],
  env: (origin) => ({ GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: "dummy" }),
  named: (tool) => `mcp_toolwright_${tool}`,
  // Google's API has no defaults, so they are in the descriptions.
  schemas: {
    find: { type: "object", properties: { ...FIND_EITHER.properties, ...ADDED } },
    note: {
      type: "object",
      properties: {
        text: { type: "string", description: "The line to add." },
        times: { type: "integer", minimum: 1, maximum: 9, description: "How often to add it. Default: 2." },
        ...ADDED,
      },
      required: ["text"],
    },
    print: { type: "object", properties: ADDED },
    count: {
      type: "object",
      properties: {
        word: { anyOf: [{ type: "string" }, { type: "null" }], description: "The word" },
        most: { anyOf: [{ type: "integer" }, { type: "string" }], description: "Where to stop" },
        ...ADDED,
      },
      required: ["word"],
    },
  },
  longName: "count_the_words_of_a_text_and_tell_how_m_1f5cfb0",
  resultFor: ({ tool, input, words, failed }) => {
    if (!failed) return { text: `<untrusted_context>\n${words}\n</untrusted_context>` };
    const response = { content: [{ type: "text", text: words }], isError: true };
    const told = JSON.stringify([{ functionResponse: { name: tool, response } }]);
    const called = JSON.stringify({ name: tool, args: input });
    return {
      text: `MCP tool '${tool}' reported tool error for function call: ${called} with response: ${told}`,
      failed,
    };
  },
  unanswered: NOT_ASKED,
  passesImages: true,
};
