/** Writes the table of docs/agents.md: `node test/support/coding-agents/write-cells.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allRows, cellsTable, TABLE } from "./rows.ts";

const DOCS = fileURLToPath(new URL("../../../docs/agents.md", import.meta.url));

const table = cellsTable(await allRows());
writeFileSync(
  DOCS,
  readFileSync(DOCS, "utf8").replace(TABLE, () => table),
);
