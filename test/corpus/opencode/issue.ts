// Several tools in one file, helpers beside them, siblings imported without an extension and as .js.
import { tool } from "@opencode-ai/plugin";
import { heading } from "./lib/format";
import { slug } from "./lib/slug.js";

export function render(title: string, labels: string[]): string {
  return `${heading(title)}\n${labels.map((label) => `- ${label}`).join("\n")}`;
}

export const create = tool({
  description: "Draft an issue for the tracker. Returns the draft as markdown.",
  args: {
    title: tool.schema.string().min(3).describe("Short title"),
    labels: tool.schema.array(tool.schema.string()).default(["triage"]).describe("Labels to put on it"),
  },
  async execute({ title, labels }) {
    return render(title, labels);
  },
});

export const link = tool({
  description: "The address under which an issue with that title is found",
  args: { title: tool.schema.string(), number: tool.schema.number().int().optional() },
  async execute({ title, number }, context) {
    return JSON.stringify({ path: `/issues/${number ?? 0}-${slug(title)}`, called: context.callID !== "" }, null, 2);
  },
});
