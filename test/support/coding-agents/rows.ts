import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AgentRow } from "./agent-row.ts";
import { CASES, type CaseName } from "./case-names.ts";

const FOLDER = new URL("./rows/", import.meta.url);

/** The rows of all agents that users can choose, by name. */
export async function allRows(): Promise<AgentRow[]> {
  const files = readdirSync(fileURLToPath(FOLDER)).filter((file) => file.endsWith(".ts"));
  const modules = await Promise.all(files.map((file) => import(new URL(file, FOLDER).href)));
  const rows = modules.flatMap((module) => Object.values(module as Record<string, AgentRow>));
  return rows.filter(({ source }) => !source).sort((one, other) => one.name.localeCompare(other.name));
}

/** The table in docs/agents.md, with its markers. */
export const TABLE: RegExp = /<!-- cells: .*? -->.*<!-- \/cells -->/s;

/** The table of docs/agents.md: a line for each case that an agent makes impossible. */
export function cellsTable(rows: readonly AgentRow[]): string {
  const lines = rows.flatMap(({ name, impossible = {} }) =>
    (Object.keys(CASES) as CaseName[]).flatMap((key) => {
      const evidence = impossible[key];
      return evidence === undefined ? [] : [`| ${name} | ${toWords(key)} | ${evidence} |`];
    }),
  );
  return [
    "<!-- cells: written by `node test/support/coding-agents/write-cells.ts` -->",
    "",
    "| agent | case | reason |",
    "|---|---|---|",
    ...new Set(lines),
    "",
    "<!-- /cells -->",
  ].join("\n");
}

/** The title of a case without the requirement. */
function toWords(name: CaseName): string {
  return CASES[name].replace(/^\[\w+\] /, "").replaceAll("|", "\\|");
}
