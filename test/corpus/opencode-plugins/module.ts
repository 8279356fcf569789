// The module shape of newer versions.
import { type PluginModule, tool } from "@opencode-ai/plugin"

const plugin: PluginModule = {
  id: "example.module",
  server: async (_input, options) => ({
    tool: {
      module_options: tool({
        description: "Show the options of this plugin",
        args: {},
        execute: async () => JSON.stringify(options ?? null),
      }),
    },
  }),
}

export default plugin
