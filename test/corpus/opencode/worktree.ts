import { basename, relative, sep } from "node:path"
import { tool } from "@opencode-ai/plugin"

const whereAmI = tool({
  description: "Which folder of the repository we are in",
  args: {},
  async execute(_args, { directory, worktree }) {
    return relative(worktree, directory).split(sep).join("/") || "the root"
  },
})

const nameOfRepo = tool({
  description: "Name of the repository",
  args: {},
  async execute(_, ctx) {
    return { title: "Repository", output: basename(ctx.worktree), metadata: { worktree: ctx.worktree } }
  },
})

export { whereAmI as where, nameOfRepo as name }
