import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "./agent.ts";
import { FIND_EITHER, NOT_ASKED, SCHEMAS } from "./agent-tools.ts";
import { CHAT } from "./chat-wire.ts";

const CONFIG = ".config/opencode/opencode.json";

export const OPENCODE: Agent = {
  name: "OpenCode",
  id: "opencode",
  program: "opencode",
  wire: CHAT,
  config: {
    file: CONFIG,
    before: (origin) => `{
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false, // no network access
  "share": "disabled",
  "snapshot": false,
  "enabled_providers": ["local"],
  "model": "local/gpt-5.5",
  "small_model": "local/gpt-5.5",
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${origin}/v1", "apiKey": "dummy" },
      "models": {
        "gpt-5.5": {
          "tool_call": true,
          "attachment": true,
          "modalities": { "input": ["text", "image"], "output": ["text"] },
          "limit": { "context": 100000, "output": 4096 },
        },
      },
    },
  },
}
`,
    projectFile: "opencode.json",
    projectAfter: '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {}\n}\n',
  },
  args: ["run", "Note the cheese."],
  prepare: (home, packages) => linkOpencodePackages(dirname(join(home, CONFIG)), packages),
  named: (tool) => `toolwright_${tool}`,
  schemas: {
    find: { ...FIND_EITHER, additionalProperties: false },
    note: { ...SCHEMAS.note, additionalProperties: false },
    print: { ...SCHEMAS.print, additionalProperties: false },
    count: {
      type: "object",
      properties: {
        word: { type: ["string", "null"], description: "The word" },
        most: { type: ["integer", "string"], description: "Where to stop" },
      },
      required: ["word"],
      additionalProperties: false,
    },
  },
  longName: "count_the_words_of_a_text_and_tell_how_many_t_1f5cfb0",
  resultFor: ({ words }) => ({ text: words }),
  unanswered: NOT_ASKED,
  passesImages: true,
  // OpenCode truncates at 2,000 lines, and Toolwright's notice is line 2,001.
  savedOutput: /^The tool call succeeded but the output was truncated\. Full output saved to: (.+)$/m,
};

/** OpenCode installs a package into its folders if it is missing. */
export function linkOpencodePackages(folder: string, packages: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(dirname(packages), name), join(folder, name));
  symlinkSync(packages, join(folder, "node_modules"));
}
