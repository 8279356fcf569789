import type { ApiCatalogTool } from "../../../src/surfaces/http/client/index.ts";
import { fuzzyScore } from "./fuzzy.ts";

/** A row of the list of tools. */
export type ToolRow =
  | { readonly kind: "group"; readonly name: string; readonly count: number }
  | { readonly kind: "tool"; readonly tool: ApiCatalogTool };

/** The tools by source while nothing is searched, else the best matches first. */
export function toolRows(tools: readonly ApiCatalogTool[], query: string): ToolRow[] {
  if (query.trim() !== "") return ranked(tools, query).map((tool) => ({ kind: "tool", tool }));
  const groups = new Map<string, ApiCatalogTool[]>();
  for (const tool of tools) {
    const name = groupOf(tool);
    const group = groups.get(name);
    if (group) group.push(tool);
    else groups.set(name, [tool]);
  }
  const named = [...groups].sort(([a], [b]) => orderOf(a) - orderOf(b) || compare(a, b));
  return named.flatMap(([name, group]): ToolRow[] => [
    { kind: "group", name, count: group.length },
    ...group.sort((a, b) => compare(a.name, b.name)).map((tool): ToolRow => ({ kind: "tool", tool })),
  ]);
}

/** The place that a person looks for: the project, the user's folder, a package or server by name, or Toolwright itself. */
export function groupOf({ source, place, pluginName }: ApiCatalogTool): string {
  if (source === "builtin") return BUILT_IN;
  if (source === "mcp") return `MCP: ${pluginName ?? "server"}`;
  if (source === "plugin") return `Package: ${pluginName ?? "unnamed"}`;
  return PLACES[place];
}

const BUILT_IN = "Built-in";
const PLACES = {
  project: "Project",
  global: "User",
  configured: "Configured folders",
  package: "Packages",
  code: "Code",
} as const;

function orderOf(group: string): number {
  const place = Object.values<string>(PLACES).indexOf(group);
  if (place >= 0) return place;
  return group === BUILT_IN ? 100 : 50;
}

function ranked(tools: readonly ApiCatalogTool[], query: string): ApiCatalogTool[] {
  const scored = tools.flatMap((tool) => {
    const score = fuzzyScore(query, [
      { text: tool.name, weight: 4, scattered: true },
      { text: groupOf(tool), weight: 2 },
      { text: tool.file, weight: 1.5 },
      { text: tool.description, weight: 1 },
    ]);
    return score === undefined ? [] : [{ tool, score }];
  });
  return scored.sort((a, b) => b.score - a.score || compare(a.tool.name, b.tool.name)).map(({ tool }) => tool);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
