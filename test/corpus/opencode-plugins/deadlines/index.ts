// A plugin of OpenCode 2.
import { Plugin } from "@opencode/plugin"
import { Error as ToolError } from "@opencode/plugin/promise/tool"

const DAY = 86_400_000

export default Plugin.define({
  id: "deadlines",
  async setup(ctx) {
    const today = Date.parse("2026-11-01")
    await ctx.tool.transform((tools) => {
      tools.namespace({ name: "deadline", description: "Dates and how far away they are" })
      tools.add({
        name: "set",
        description: "Remember a deadline",
        options: { namespace: "deadline", codemode: false },
        input: {
          type: "object",
          properties: { name: { type: "string" }, date: { type: "string", description: "YYYY-MM-DD" } },
          required: ["name", "date"],
          additionalProperties: false,
        },
        async execute(input: { name: string; date: string }, context) {
          const at = Date.parse(input.date)
          if (Number.isNaN(at)) throw new ToolError({ message: `${input.date} is not a date. Write YYYY-MM-DD.` })
          await ctx.storage.set(`deadline/${input.name}`, at)
          await context.progress({ status: `stored ${input.name}` })
          return { content: `${input.name} is due on ${input.date}`, output: { name: input.name, at } }
        },
      })
      tools.add({
        name: "left",
        description: "Days left until a deadline",
        options: { namespace: "deadline" },
        input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        async execute(input: { name: string }) {
          const at = (await ctx.storage.get(`deadline/${input.name}`)) as number | undefined
          if (at === undefined) return { content: [{ type: "text", text: "no such deadline" }] }
          return { output: { days: (at - today) / DAY } }
        },
      })
    })
    await ctx.session.hook("context", (event) => {
      event.system.push({ type: "text", text: "Mind the deadlines." })
    })
    const controller = new AbortController()
    void (async () => {
      for await (const event of ctx.event.subscribe({ signal: controller.signal })) console.log(event.type)
    })()
    return () => controller.abort()
  },
})
