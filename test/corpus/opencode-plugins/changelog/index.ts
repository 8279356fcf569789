// A plugin in a folder, without types.
import { tool } from "@opencode-ai/plugin"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

export const ChangelogPlugin = async ({ directory }) => ({
  tool: {
    changelog_head: tool({
      description: "The first heading of the changelog",
      args: {},
      execute: async () => (await readFile(join(directory, "CHANGELOG.md"), "utf8")).split("\n", 1)[0],
    }),
  },
})
