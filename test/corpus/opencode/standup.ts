import { readFileSync } from "fs"
import { join } from "path"
import { tool } from "@opencode-ai/plugin"
import defaults from "./lib/standup.json"
import heading from "./lib/standup.md"

console.log("[standup] loading…")
console.error("[standup] using " + defaults.questions.length + " questions")

// refreshed now and then; nobody ever stops it
let beats = 0
setInterval(() => {
  beats++
}, 1000)

const footer = readFileSync(join(import.meta.dirname, "lib", "standup-footer.txt"), "utf8").trim()

const greeting: string = await new Promise((resolve) => setTimeout(() => resolve("Good morning"), 5))

export default tool({
  description: `Writes the notes of a stand-up.

Asks ${defaults.questions.length} questions and puts the answers in order.`,
  args: {
    answers: tool.schema.array(tool.schema.string()).describe("One answer for each question, in order"),
    name: tool.schema.string().optional(),
  },
  async execute(args) {
    console.log("standup for", args.name, beats)
    const lines = defaults.questions.map((question, i) => `- ${question} ${args.answers[i] ?? "(no answer)"}`)
    return [heading.trim(), "", `${greeting}${args.name ? `, ${args.name}` : ""}.`, ...lines, "", footer].join("\n")
  },
})
