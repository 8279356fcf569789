import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { allRows, cellsTable, TABLE } from "./support/coding-agents/rows.ts";

const DOCS = fileURLToPath(new URL("../docs/agents.md", import.meta.url));

it("[G7] the docs list what each coding agent makes impossible, with the evidence", async () => {
  const [table] = TABLE.exec(readFileSync(DOCS, "utf8")) ?? [];
  expect(table, "Run: node test/support/coding-agents/write-cells.ts").toBe(cellsTable(await allRows()));
});
