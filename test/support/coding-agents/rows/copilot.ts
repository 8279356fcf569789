import type { JsonSchema } from "../../../../src/core/schema.ts";
import { CHAT } from "../../agents/chat-wire.ts";
import type { AgentRow } from "../agent-row.ts";

/** Copilot's SDK with its runtime. */
export const COPILOT: AgentRow = {
  requirement: "G2",
  name: "copilot",
  allCases: true,
  folder: "copilot-sdk",
  wire: CHAT,
  model: "scripted",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({ OPENAI_API_KEY: "dummy" }),
  toolName: (name) => name,
  shownSchema: describeLimits,
  ownTool: {
    logged: "copilot:create",
    call: (file, text) => ({ call: "create", input: { path: file, file_text: text } }),
  },
  processes: /copilot-runtime/,
  impossible: {
    loneArguments: "its runtime rejects arguments with half a character, and tells the model so",
    loneText: "its runtime rejects a response with half a character, and the turn fails",
  },
};

/** The keywords that the runtime moves to the description of a field, in its order. */
const LIMITS = ["minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"];

function describeLimits(schema: JsonSchema): JsonSchema {
  const limits = LIMITS.filter((keyword) => keyword in schema);
  const text = limits.map((keyword) => `${keyword}: ${JSON.stringify(schema[keyword])}`).join(", ");
  const { description, properties } = schema as { description?: string; properties?: Record<string, JsonSchema> };
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !limits.includes(keyword)));
  return {
    ...rest,
    ...(text === "" ? {} : { description: [description, `{${text}}`].filter(Boolean).join("\n\n") }),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, describeLimits(each)]),
          ),
        }
      : {}),
  };
}
