// No imports and no types: what a factory needs comes with its argument.
module.exports = (pi) => ({
  name: "shout",
  label: "Shout",
  description: "Says it loudly",
  parameters: pi.zod.object({ text: pi.zod.string(), times: pi.zod.number().int().default(1) }),
  execute: async (_id, { text, times }) => `${text.toUpperCase()}${"!".repeat(times)}`,
});
