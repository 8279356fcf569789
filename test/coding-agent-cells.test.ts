import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { allRows, cellLines } from "./support/coding-agents/rows.ts";

const DOCS = fileURLToPath(new URL("../docs/agents.md", import.meta.url));

it("[G7] the docs list what each coding agent makes impossible, with the evidence", async () => {
  const lines = cellLines(await allRows());
  const docs = existsSync(DOCS) ? readFileSync(DOCS, "utf8").split("\n") : [];
  expect(lines.filter((line) => !docs.includes(line))).toEqual([]);
});
