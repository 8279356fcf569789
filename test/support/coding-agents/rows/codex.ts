import { limitsOf } from "../../../../src/surfaces/client-limits/client-limits.ts";
import { fitSchema } from "../../../../src/surfaces/client-limits/fit-schema.ts";
import { RESPONSES } from "../../agents/responses-wire.ts";
import type { AgentRow } from "../agent-row.ts";

const { schemas = {} } = limitsOf({ name: "codex" });

export const CODEX: AgentRow = {
  requirement: "G9",
  name: "codex",
  allCases: true,
  folder: "codex-acp",
  wire: RESPONSES,
  model: "gpt-5.5",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({ OPENAI_API_KEY: "dummy" }),
  toolName: (name) => `mcp__tw.${name}`,
  // It accepts a part of JSON Schema; the rest is in the descriptions.
  shownSchema: (schema) => fitSchema(schema, schemas).schema,
  ownTool: {
    logged: "codex:execute",
    call: (file, text) => ({
      call: "exec_command",
      input: {
        cmd: `printf '%s' '${text}' > '${file}'`,
        sandbox_permissions: "require_escalated",
        justification: "May I write this file?",
      },
    }),
  },
  processes: /codex/,
  impossible: {
    loneArguments: 'Codex 0.166 refuses such arguments itself: "lone leading surrogate in hex escape"',
    loneText: "Codex 0.166 drops the pieces of a text that have half a character",
    ownRefused:
      "an answer to a permission request of the Agent Client Protocol has no reason, and Codex 0.166 ends its turn after a refusal",
  },
};
