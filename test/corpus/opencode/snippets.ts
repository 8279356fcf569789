import { readdirSync, readFileSync } from "fs"
import { join } from "path"
import { ToolContext, tool } from "@opencode-ai/plugin"
import { Snippet, render } from "./lib/snippet"
import defaults from "./lib/snippets/defaults.json" assert { type: "json" }

const folder = join(import.meta.dir, "lib", "snippets")

function load(): Snippet[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => name.endsWith(".tmpl"))
    .map((name) => ({ name: name.slice(0, -5), text: readFileSync(join(folder, name), "utf8") }))
}

function values(given: Record<string, string>, ctx: ToolContext): Record<string, string> {
  return { ...defaults, agent: ctx.agent || "nobody", ...given }
}

export const list = tool({
  description: "Lists the snippets we have",
  args: {},
  execute: async () =>
    load()
      .map((s) => s.name)
      .join("\n"),
})

export const insert = tool({
  description: "Fills in a snippet and returns it",
  args: {
    name: tool.schema.string().describe("Name of the snippet"),
    values: tool.schema.record(tool.schema.string(), tool.schema.string()).default({}).describe("What to fill in"),
  },
  async execute(args, ctx) {
    const snippet = load().find((s) => s.name === args.name)
    if (!snippet) return `No snippet called ${args.name}. Available: ${load().map((s) => s.name).join(", ")}`
    return render(snippet, values(args.values, ctx))
  },
})
