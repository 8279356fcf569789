// Tools in the shape of the Agent SDK, in a list, with nothing imported.
const stock = new Map<string, number>([["bolt", 12]]);

const text = (value: string, isError = false) => ({ content: [{ type: "text" as const, text: value }], isError });

export default [
  {
    name: "stock-level",
    description: "How many of a part there are",
    inputSchema: { type: "object", properties: { part: { type: "string" } }, required: ["part"] },
    annotations: { readOnlyHint: true },
    handler: async ({ part }: { part: string }) => text(String(stock.get(part) ?? 0)),
  },
  {
    name: "take-part",
    description: "Take parts out of the stock",
    inputSchema: {
      type: "object",
      properties: { part: { type: "string" }, count: { type: "integer", minimum: 1, default: 1 } },
      required: ["part"],
    },
    handler: async ({ part, count }: { part: string; count: number }, context: { toolUseId: string }) => {
      const left = (stock.get(part) ?? 0) - count;
      if (left < 0) return text(`There are not ${count} of "${part}".`, true);
      stock.set(part, left);
      return text(`${left} left${context.toolUseId ? "" : " (nobody asked)"}`);
    },
  },
];
