import { StructuredTool, tool } from "@langchain/core/tools";
import { z } from "zod";

const split = (csv: string): string[][] =>
  csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));

/** First column and last column of a table. */
export const csvEdges = tool(
  async ({ csv }) => {
    const rows = split(csv);
    return rows.map((row) => `${row[0]}…${row.at(-1)}`).join("\n");
  },
  {
    name: "csv_edges",
    description: "The first and the last cell of each line",
    schema: z.object({ csv: z.string().describe("Comma-separated text") }),
  },
);

export const csvShape = tool(
  async ({ csv }) => {
    const rows = split(csv);
    const shape = { rows: rows.length, columns: rows[0]?.length ?? 0 };
    return [`${shape.rows} × ${shape.columns}`, shape];
  },
  {
    name: "csv_shape",
    description: "How many lines and columns a table has",
    schema: z.object({ csv: z.string() }),
    responseFormat: "content_and_artifact",
  },
);

export class CsvColumn extends StructuredTool {
  name = "csv_column";
  description = "All cells of one column, by its heading";
  schema = z.object({ csv: z.string(), heading: z.string() });

  protected async _call({ csv, heading }: z.output<typeof this.schema>): Promise<string> {
    const [head = [], ...rows] = split(csv);
    const index = head.indexOf(heading);
    if (index < 0) throw new Error(`There is no column "${heading}". There are: ${head.join(", ")}`);
    return rows.map((row) => row[index]).join("\n");
  }
}
