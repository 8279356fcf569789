// Uses Bun's shell, as the examples in OpenCode's documentation do.
import { tool } from "@opencode-ai/plugin";

export default tool({
  description: "Show a line of text after a shell has looked at it",
  args: {
    text: tool.schema.string().describe("What to show"),
  },
  async execute(args) {
    const result = await Bun.$`echo ${args.text}`.quiet().text();
    return result.trim();
  },
});
