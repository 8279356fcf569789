import { tool } from "toolwright";

export default tool({
  description: "Says hello.",
  args: { name: tool.schema.string().default("world").describe("Whom to greet") },
  execute: ({ name }) => `Hello, ${name}!`,
});
