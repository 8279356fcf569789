// Written for a beta of OpenCode 2.
import { define } from "@opencode-ai/plugin/v2/promise"
import { z } from "zod"

export default define({
  id: "beta",
  setup: async (ctx) => {
    await ctx.tool.transform((draft) => {
      draft.add({
        name: "add",
        description: "Add two numbers",
        jsonSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
        options: { group: "beta" },
        execute: async ({ a, b }) => ({ structured: { sum: a + b }, content: [{ type: "text", text: `${a + b}` }] }),
      })
      draft.add({
        name: "beta_upper",
        description: "Upper case",
        input: z.object({ text: z.string().default("none") }),
        execute: async ({ text }) => ({ content: text.toUpperCase() }),
      })
    })
  },
})
