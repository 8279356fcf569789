import { CHAT } from "../../agents/chat-wire.ts";
import type { AgentRow } from "../agent-row.ts";

export const GOOSE: AgentRow = {
  requirement: "G9",
  name: "goose",
  folder: "goose",
  wire: CHAT,
  model: "gpt-4o",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({ OPENAI_API_KEY: "dummy", GOOSE_DISABLE_KEYRING: "1" }),
  toolName: (name) => `toolwright__${name}`,
  ownTool: {
    logged: "goose:write",
    call: (file, text) => ({ call: "write", input: { path: file, content: text } }),
  },
  processes: /goose/,
  impossible: {
    unicode: "goose 1.52 composes characters in prompts: an e with a combining accent arrives as one character",
    loneArguments: 'goose 1.52 refuses such arguments itself: "malformed tool arguments"',
    loneText: 'goose 1.52 cannot read such a text: "lone leading surrogate in hex escape"',
    ownRefused: "an answer to a permission request of the Agent Client Protocol has no reason for the model",
  },
};
