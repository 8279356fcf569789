// A plugin with an id, exported the newer way, with two tools and a listener.
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import { tool } from "@opencode-ai/plugin"

const CHECKLIST = ["tests", "docs", "changelog"]

async function server({ project, worktree }: PluginInput): Promise<Hooks> {
  const done = new Set<string>()
  return {
    event: async ({ event }) => {
      if (event.type === "session.created") done.clear()
    },
    tool: {
      review_tick: tool({
        description: "Tick an item of the review checklist",
        args: { item: tool.schema.enum(["tests", "docs", "changelog"]) },
        async execute({ item }) {
          done.add(item)
          return `${done.size}/${CHECKLIST.length}`
        },
      }),
      review_open: tool({
        description: "What is left of the review checklist",
        args: {},
        async execute() {
          const left = CHECKLIST.filter((item) => !done.has(item))
          return left.length ? left.join(", ") : `${project.worktree === worktree ? "all" : "nothing"} done`
        },
      }),
    },
    "tool.execute.after": async (input, output) => {
      if (input.tool === "review_open") output.title = "Review"
    },
  }
}

export default { id: "review", server }
