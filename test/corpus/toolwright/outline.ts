import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { tool } from "toolwright";
import * as z from "zod";

/** The headings of a markdown file, indented by their level. */
export default tool({
  description: "Outline of a markdown file: its headings, indented.",
  args: z.object({
    file: z.string().describe("Path of the file, relative to the project"),
    depth: z.number().int().min(1).max(6).default(6),
  }),
  access: ({ file }, { cwd }) => [{ kind: "read", target: resolve(cwd, file) }],
  execute({ file, depth }, { directory }) {
    const headings = readFileSync(resolve(directory, file), "utf8").matchAll(/^(#{1,6}) +(.+)$/gm);
    const lines: string[] = [];
    for (const [, marks = "", text = ""] of headings) {
      if (marks.length <= depth) lines.push("  ".repeat(marks.length - 1) + text);
    }
    return {
      content: [{ type: "text", text: lines.join("\n") }],
      details: { headings: lines.length },
    };
  },
});
