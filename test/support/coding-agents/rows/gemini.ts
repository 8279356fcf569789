import { join } from "node:path";
import { limitsOf } from "../../../../src/surfaces/client-limits/client-limits.ts";
import { fitSchema } from "../../../../src/surfaces/client-limits/fit-schema.ts";
import { GEMINI } from "../../agents/gemini-wire.ts";
import { put } from "../../temporary.ts";
import type { AgentRow } from "../agent-row.ts";

const { schemas = {} } = limitsOf({ name: "gemini-cli" });

export const GEMINI_CLI: AgentRow = {
  requirement: "G9",
  name: "gemini",
  folder: "gemini",
  wire: GEMINI,
  model: "gemini-2.5-pro",
  baseUrl: (origin) => origin,
  env: () => ({ GEMINI_API_KEY: "dummy" }),
  prepare: ({ home }) =>
    void put(
      join(home, ".gemini/settings.json"),
      JSON.stringify({ general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } }),
    ),
  toolName: (name) => `mcp_toolwright_${name}`,
  // Google's API accepts a part of JSON Schema; the rest is in the descriptions.
  shownSchema: (schema) => {
    const { properties = {}, ...fitted } = fitSchema(schema, schemas).schema;
    return { ...fitted, properties: { ...(properties as object), wait_for_previous: { type: "boolean" } } };
  },
  // It validates arguments before it calls a tool.
  invalidInput: ["params/text must NOT have fewer than 1 characters"],
  ownTool: {
    logged: "gemini:write_file",
    call: (file, text) => ({ call: "write_file", input: { file_path: file, content: text } }),
  },
  processes: /gemini/,
  impossible: {
    overlap: "Gemini CLI 0.61 runs the calls of a message one after another over the Agent Client Protocol",
    unicode: 'Gemini CLI 0.61 cannot read a response that has U+2028: "Incomplete JSON segment at the end"',
    crash: "Gemini CLI 0.61 passes a failed result on as JSON, with escaped quotes",
    ownRefused: "an answer to a permission request of the Agent Client Protocol has no reason for the model",
  },
};
