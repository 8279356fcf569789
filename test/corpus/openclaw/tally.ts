import type { ClawdbotPluginApi } from "clawdbot/plugin-sdk";
const fs = require("node:fs") as typeof import("node:fs");
import { join } from "node:path";

function register(api: ClawdbotPluginApi) {
  api.registerTool(
    {
      name: "tally_files",
      description: "Counts the files of a folder of the workspace.",
      parameters: {
        type: "object",
        properties: { folder: { type: "string", description: "A folder in the workspace" } },
        required: ["folder"],
      },
      execute: async (_id: string, params: { folder: string }) => {
        const names = fs.readdirSync(join(api.resolvePath("."), params.folder));
        return { content: [{ type: "text", text: `${names.length} files` }], details: { names } };
      },
    },
    { optional: true },
  );
}

module.exports = { id: "tally", name: "Tally", register };
