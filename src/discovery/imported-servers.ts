import { join } from "node:path";
import { nearest } from "../core/nearest.ts";
import type { Problem } from "../core/problem.ts";
import { claudeFile } from "./agent-homes.ts";
import { mcpConfigs } from "./mcp-configs.ts";
import { type ConfiguredServer, type FoundServers, findMcpServers, type McpOptions } from "./mcp-servers.ts";
import type { Place, ToolFile } from "./place.ts";

/** Which of the servers people have are asked for: all, none, or those named. */
export type McpImport = boolean | readonly string[];

/** The servers asked for, as if they were tool files, and the files that say which there are. */
export interface ImportedServers {
  readonly files: readonly ToolFile[];
  readonly problems: readonly Problem[];
  readonly watched: readonly string[];
}

/** Looks at no configuration when nothing is asked for. Never throws. */
export function importedServers(
  options: McpOptions & { readonly toolwrightHome: string },
  wanted: McpImport,
): ImportedServers {
  if (wanted === false || (wanted !== true && wanted.length === 0)) return { files: [], problems: [], watched: [] };
  const found = findMcpServers(options, wanted === true ? undefined : (name) => wanted.includes(name));
  const missed = wanted === true ? [] : missing(wanted, found, join(options.toolwrightHome, "settings.json"));
  const configs = mcpConfigs(options).map(({ file }) => file);
  return {
    files: toFiles(found.servers.filter(({ disabled }) => !disabled)),
    problems: [...found.problems, ...missed],
    // Claude Code writes to that one all the time, and hardly ever about servers.
    watched: configs.filter((file) => file !== claudeFile(options)),
  };
}

/** One place for each configuration. */
function toFiles(servers: readonly ConfiguredServer[]): ToolFile[] {
  const places = new Map<string, Place>();
  return servers.map(({ name, server, file, system, ofProject }) => {
    const place = places.get(file) ?? { path: file, kind: ofProject ? "project" : "global", system, ofProject };
    places.set(file, place);
    return { file: `${file}#${name}`, name, place, server };
  });
}

function missing(wanted: readonly string[], { servers, names }: FoundServers, settings: string): Problem[] {
  const named = (name: string): string => `"mcp.import" in the settings names the MCP server "${name}"`;
  return wanted.flatMap((name): Problem[] => {
    const off = servers.find((server) => server.name === name && server.disabled);
    if (off) {
      const message = `${named(name)}, which is disabled here. Enable it, or take its name out of the settings.`;
      return [{ file: off.file, code: "bad_definition", message }];
    }
    if (names.has(name)) return [];
    const [near] = nearest(name, names);
    const hint = near === undefined ? "No server of such a name is configured." : `Did you mean "${near}"?`;
    return [{ file: settings, code: "bad_definition", message: `${named(name)}, and there is none. ${hint}` }];
  });
}
