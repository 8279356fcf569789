// A whole z.object as args, and a result with title and metadata.
import { tool } from "@opencode-ai/plugin/tool";
import { z } from "zod";

const parameters = z.object({
  query: z.string().describe("Words to look for"),
  limit: z.coerce.number().int().positive().default(2),
});

const PAGES = ["Install the tools", "Write a tool", "Share the tools", "Remove a tool"];

export default tool({
  description: "Search the handbook",
  args: parameters as never,
  async execute(args: z.infer<typeof parameters>, ctx) {
    const hits = PAGES.filter((page) => page.toLowerCase().includes(args.query.toLowerCase())).slice(0, args.limit);
    ctx.metadata({ title: `${hits.length} pages`, metadata: { query: args.query } });
    return { title: args.query, output: hits.join("\n"), metadata: { count: hits.length } };
  },
});
