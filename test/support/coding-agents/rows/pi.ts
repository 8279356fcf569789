import { join } from "node:path";
import { CHAT } from "../../agents/chat-wire.ts";
import { put } from "../../temporary.ts";
import type { AgentRow } from "../agent-row.ts";

export const PI: AgentRow = {
  requirement: "G9",
  name: "pi",
  folder: "pi-acp",
  wire: CHAT,
  model: "scripted",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({ OPENAI_API_KEY: "dummy", PI_OFFLINE: "1" }),
  prepare: ({ home }) =>
    void put(join(home, ".pi/agent/settings.json"), JSON.stringify({ quietStartup: true, retry: { enabled: false } })),
  toolName: (name) => name,
  ownTool: {
    logged: "pi:write",
    call: (file, text) => ({ call: "write", input: { path: file, content: text } }),
  },
  // pi validates arguments before it calls a tool.
  invalidInput: [
    'Validation failed for tool "note":',
    "- text: must not have fewer than 1 characters",
    "- times: must be <= 9",
  ],
  impossible: {
    unicode: "pi-acp 0.0.34 splits the output of pi at U+2028 too, and loses the piece of a text that has it",
  },
  processes: /pi-acp|pi-coding-agent|\bpi\b/,
};
