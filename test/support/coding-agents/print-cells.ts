/** Prints the lines for the table of docs/agents.md: `node test/support/coding-agents/print-cells.ts`. */
import { allRows, cellLines } from "./rows.ts";

console.log(cellLines(await allRows()).join("\n"));
