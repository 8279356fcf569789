import { definitionLine } from "../catalog/definition-line.ts";
import { trustCommand } from "../catalog/discovery/trusted-projects.ts";
import type { ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { ApiCatalog, ApiCatalogTool } from "../core/api-page.ts";
import { VERSION } from "../core/version.ts";
import { readTextFile } from "../platform/files/read-text-file.ts";
import { defined } from "../platform/values/defined.ts";
import type { Toolbox } from "./toolbox.ts";

/** Larger files are not searched for the lines of their tools. */
const LARGEST = 1_000_000;

/** All tools of a toolbox with their places, and what keeps others from being served. `tools` may be an earlier `catalogTools`. */
export function catalogOf(
  toolbox: Toolbox,
  commands: Pick<ApiCatalog, "command" | "commandOptions">,
  tools: readonly ApiCatalogTool[] = catalogTools(toolbox),
): ApiCatalog {
  const { directory, root, trusted } = toolbox.project;
  const { shadowed, blocked, warnings, loading } = toolbox.status;
  return {
    version: VERSION,
    project: { directory, root, trusted },
    tools,
    problems: toolbox.problems(),
    shadowed,
    blocked: blocked.map((each) => ({ ...each, fix: trustCommand(root, commands.command) })),
    warnings,
    loading,
    ...commands,
  };
}

/** Reads the files of the tools, to find the lines of their definitions. */
export function catalogTools(toolbox: Toolbox): readonly ApiCatalogTool[] {
  const sources = new Map<string, string>();
  const sourceOf = (file: string): string => {
    const read = sources.get(file) ?? textOf(file);
    sources.set(file, read);
    return read;
  };
  return toolbox.list().map((tool) => toCatalogTool(tool, sourceOf));
}

function toCatalogTool(tool: ToolInfo, sourceOf: (file: string) => string): ApiCatalogTool {
  const { name, description, source, place, format, file, enabled, hints, inputSchema } = tool;
  const { pluginName, pluginVersion, overridesBuiltin, outputSchema } = tool;
  // The files of built-in tools are compiled, and MCP servers define their tools elsewhere.
  const isInFile = source === "custom" || source === "plugin";
  const line = isInFile ? definitionLine(tool, sourceOf(file)) : undefined;
  return {
    ...{ name, description, source, place, format, file, enabled, hints, inputSchema },
    ...defined({ line, pluginName, pluginVersion }),
    ...(overridesBuiltin ? { overridesBuiltin } : {}),
    ...defined({ outputSchema }),
  };
}

function textOf(file: string): string {
  const read = readTextFile(file, { largest: LARGEST });
  return read.kind === "text" ? read.text : "";
}
