import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { tool } from "toolwright";

/** Two tools in one file: `word-count` and `word-count_longest`. Both read the file at `path`. */
export default tool({
  description: "Counts the words and lines of a text file of the project.",
  args: { path: tool.schema.string().describe("The file, relative to the project") },
  hints: { readOnly: true },
  // Declared, so that permission rules can match it.
  access: ({ path }, { cwd }) => [{ kind: "read", target: resolve(cwd, path) }],
  async execute({ path }, { directory }) {
    const text = await readFile(resolve(directory, path), "utf8");
    const lines = text.split("\n").length;
    const words = text.split(/\s+/).filter(Boolean).length;
    return { title: path, output: `${path}: ${words} words, ${lines} lines`, metadata: { words, lines } };
  },
});

export const longest = tool({
  description: "Finds the longest words of a text file of the project.",
  args: {
    path: tool.schema.string().describe("The file, relative to the project"),
    count: tool.schema.number().int().min(1).max(50).default(5).describe("How many words"),
  },
  async execute({ path, count }, { directory }) {
    const text = await readFile(resolve(directory, path), "utf8");
    const words = [...new Set(text.match(/\p{L}+/gu))];
    return words
      .sort((a, b) => b.length - a.length)
      .slice(0, count)
      .join("\n");
  },
});
