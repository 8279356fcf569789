import { join } from "node:path";
import { extensionEditor } from "../../../src/agents/setup/extension-editor.ts";
import { EXTENSION_FILE } from "../../../src/core/agent-extension.ts";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { FIND_EITHER, NOT_ASKED, SCHEMAS } from "./agent-tools.ts";
import { CHAT } from "./chat-wire.ts";

const FILE = `extensions/${EXTENSION_FILE}`;

export const PI: Agent = {
  name: "pi",
  id: "pi",
  program: "pi",
  wire: CHAT,
  config: {
    file: `.pi/agent/${FILE}`,
    before: () => {
      const path = { section: ["mcpServers"], name: "other" };
      return extensionEditor.set("", path, { command: "/gone/node", args: ["/gone/main.mjs", "mcp"], enabled: false });
    },
    projectFile: `.pi/${FILE}`,
  },
  // Without a terminal pi loads a project's extensions only with this option.
  args: ["--approve", "--print", "Note the cheese."],
  env: () => ({ PI_OFFLINE: "1" }),
  prepare: (home, _packages, origin) => {
    const models = [{ id: "scripted", input: ["text", "image"] }];
    const local = { baseUrl: `${origin}/v1`, api: "openai-completions", apiKey: "dummy", models };
    put(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { local } }));
    put(
      join(home, ".pi/agent/settings.json"),
      JSON.stringify({ defaultProvider: "local", defaultModel: "scripted", quietStartup: true }),
    );
  },
  // pi has a tool "find" of its own, which is not shown to the model by default.
  named: (tool) => (tool === "find" ? "toolwright_find" : tool),
  ownTools: ["read", "bash", "edit", "write"],
  schemas: {
    find: FIND_EITHER,
    note: SCHEMAS.note,
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
  resultFor: ({ words }) => ({ text: words }),
  unanswered: NOT_ASKED,
  passesImages: true,
};

/** The first version with an MCP client of its own. Its program needs none of its dependencies. */
export const PI_1: Agent = { ...PI, name: "pi 1.5", folder: "pi-versions", program: "../pi-1/dist/bundle/cli.js" };
