import { $ } from "bun"
import { tool } from "@opencode-ai/plugin"

export default tool({
  description: "List the files of a folder, sorted",
  args: { folder: tool.schema.string().default(".") },
  async execute({ folder }, { directory }) {
    const { stdout, stderr, exitCode } = await $`ls -1 ${folder} | sort`.cwd(directory).nothrow().quiet()
    if (exitCode !== 0 || stderr.length > 0) throw new Error(`ls: ${stderr.toString().includes("No such file") ? "no such folder" : "failed"}`)
    return stdout.toString().trim()
  },
})
