/**
 * Tools for our reporting assistant. The route handler imports `tools` and hands it to streamText().
 */
import { dynamicTool, jsonSchema, tool, type ToolSet } from "ai";

type Row = Record<string, string | number>;

function toMarkdown(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: unknown[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ].join("\n");
}

export const tools = {
  markdown: tool({
    title: "Markdown table",
    description: "Turn rows into a markdown table",
    inputSchema: jsonSchema<{ rows: Row[] }>({
      type: "object",
      properties: {
        rows: { type: "array", minItems: 1, items: { type: "object" }, description: "Objects with the same keys" },
      },
      required: ["rows"],
      additionalProperties: false,
    }),
    execute: ({ rows }) => toMarkdown(rows),
  }),

  total: tool({
    description: "Add up one column, showing the sum as it grows",
    inputSchema: jsonSchema<{ rows: Row[]; column: string }>({
      type: "object",
      properties: { rows: { type: "array", items: { type: "object" } }, column: { type: "string" } },
      required: ["rows", "column"],
    }),
    async *execute({ rows, column }, { abortSignal }) {
      let sum = 0;
      for (const row of rows) {
        abortSignal?.throwIfAborted();
        sum += Number(row[column] ?? 0);
        yield { sum, done: false };
      }
      yield { sum, done: true };
    },
    toModelOutput: ({ output }) => ({ type: "text", value: `Sum: ${(output as { sum: number }).sum}` }),
  }),

  columns: dynamicTool({
    description: "The names of the columns of a row",
    inputSchema: jsonSchema({ type: "object", properties: { row: { type: "object" } }, required: ["row"] }),
    execute: async (input) => Object.keys((input as { row: Row }).row),
  }),
} satisfies ToolSet;
