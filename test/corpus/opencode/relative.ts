import path = require("path")
import { tool } from "@opencode-ai/plugin"
import type { Missing } from "./lib/not-there"

/* saved on Windows */
export default tool({
  description: `Name a path relative to another,
with forward slashes.`,
  args: {
    from: tool.schema.string(),
    to: tool.schema.string(),
  },
  async execute(args): Promise<string> {
    const none: Missing | undefined = undefined
    return path.posix.relative(args.from, args.to) || (none ?? ".")
  },
})
