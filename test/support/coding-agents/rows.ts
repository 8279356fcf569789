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

/** The lines of the table in docs/agents.md: one for each case that an agent makes impossible. */
export function cellLines(rows: readonly AgentRow[]): string[] {
  const lines = rows.flatMap(({ name, impossible = {} }) =>
    (Object.keys(CASES) as CaseName[]).flatMap((key) => {
      const evidence = impossible[key];
      return evidence === undefined ? [] : [`| ${name} | ${toWords(key)} | ${evidence} |`];
    }),
  );
  return [...new Set(lines)];
}

/** The title of a case without the requirement. */
function toWords(name: CaseName): string {
  return CASES[name].replace(/^\[\w+\] /, "").replaceAll("|", "\\|");
}
