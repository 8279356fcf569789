// The entry of a package in a plugin folder.
import { Plugin } from "@opencode/plugin"

export default Plugin.define({
  id: "units",
  setup: (ctx) =>
    ctx.tool
      .transform((tools) =>
        tools.add({
          name: "miles",
          description: "Kilometres to miles",
          input: { type: "object", properties: { km: { type: "number" } }, required: ["km"] },
          execute: async ({ km }: { km: number }) => ({ content: (km / 1.609344).toFixed(2) }),
        }),
      )
      .then(({ dispose }) => dispose),
})
