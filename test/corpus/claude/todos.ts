// A raw shape of Zod fields, MCP content as the result, several blocks.
import { z } from "zod";

export const todos = {
  name: "find_todos",
  description: "Find TODO and FIXME comments in a text",
  inputSchema: { text: z.string(), kinds: z.array(z.enum(["TODO", "FIXME"])).default(["TODO", "FIXME"]) },
  async handler({ text, kinds }: { text: string; kinds: string[] }) {
    const lines = text.split("\n").flatMap((line, index) => {
      const kind = kinds.find((word) => line.includes(word));
      return kind ? [{ type: "text", text: `${index + 1}: ${line.slice(line.indexOf(kind))}` }] : [];
    });
    return { content: lines.length > 0 ? lines : [{ type: "text", text: "none" }] };
  },
};
