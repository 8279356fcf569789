import { tool } from "@opencode-ai/plugin"
import path from "path"

export default tool({
  description: "Read the first lines of a file",
  args: {
    file: tool.schema.string().describe("Relative to the project"),
    lines: tool.schema.number().optional().default(2),
  },
  async execute(args, context) {
    const file = Bun.file(path.join(context.directory, args.file))
    if (!(await file.exists())) return `File not found: ${args.file}`
    const text = await file.text()
    return text.split("\n").slice(0, args.lines).join("\n")
  },
})
