// Functions that make one tool each.
import { tool } from "@opencode-ai/plugin"

export const titleSlug = () =>
  tool({
    description: "Turn a title into a slug",
    args: { title: tool.schema.string() },
    async execute({ title }) {
      return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
    },
  })

export function initials() {
  return tool({
    description: "The initials of a name",
    args: { name: tool.schema.string() },
    async execute(args) {
      return args.name.replaceAll(/(\w)\w*\s*/g, "$1")
    },
  })
}
