// One plugin function, exported by name and as default.
import { type Plugin, tool } from "@opencode-ai/plugin"
import { count } from "./lib/count"

export const WordsPlugin: Plugin = async ({ client, directory }) => {
  await client.app.log({ body: { service: "words", level: "debug", message: directory } })
  return {
    tool: {
      word_count: tool({
        description: "Count the words of a text",
        args: { text: tool.schema.string().describe("Any text") },
        async execute(args) {
          return String(count(args.text))
        },
      }),
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await client.tui.showToast({ body: { message: "done", variant: "info" } })
    },
  }
}

export default WordsPlugin
