import { cpSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { FIND_EITHER, SCHEMAS } from "../support/agents/agent-tools.ts";
import { CHAT } from "../support/agents/chat-wire.ts";
import { describeAgent } from "../support/agents/describe-agent.ts";

const CONFIG = ".config/opencode/opencode.json";

await describeAgent({
  name: "OpenCode",
  id: "opencode",
  program: "opencode",
  wire: CHAT,
  config: {
    file: CONFIG,
    before: (origin) => `{
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false, // nothing is to leave this machine
  "share": "disabled",
  "snapshot": false,
  "enabled_providers": ["local"],
  "model": "local/scripted",
  "small_model": "local/scripted",
  "provider": {
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${origin}/v1", "apiKey": "dummy" },
      "models": { "scripted": { "tool_call": true, "limit": { "context": 100000, "output": 4096 } } },
    },
  },
}
`,
  },
  args: ["run", "Note the cheese."],
  prepare: bringItsPackages,
  named: (tool) => `toolwright_${tool}`,
  schemas: {
    find: { ...FIND_EITHER, additionalProperties: false },
    note: { ...SCHEMAS.note, additionalProperties: false },
    print: { ...SCHEMAS.print, additionalProperties: false },
  },
  answers: [
    { text: "Added 2 times: Käse" },
    { text: "Found 2 lines." },
    { text: "The printer is out of paper: fill it up, then print again." },
  ],
});

/** It fetches a package of its own into the folder of its configuration, unless that is there. */
function bringItsPackages(home: string, packages: string): void {
  const folder = dirname(join(home, CONFIG));
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(dirname(packages), name), join(folder, name));
  symlinkSync(packages, join(folder, "node_modules"));
}
