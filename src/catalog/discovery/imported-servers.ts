import { join } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { nearest } from "../../platform/text/nearest.ts";
import { claudeFile } from "./agent-homes.ts";
import { type ConfiguredServer, type FoundServers, findMcpServers, type McpOptions } from "./mcp-servers.ts";
import type { ToolFile, ToolLocation } from "./tool-file.ts";

/** Which MCP servers of agents to serve: all, none, or those named. */
export type McpImport = boolean | readonly string[];

/** The imported servers as tool files, and the config files to watch. */
interface ImportedServers {
  readonly files: readonly ToolFile[];
  readonly problems: readonly Problem[];
  readonly watched: readonly string[];
}

/** Reads no config file if `wanted` is false or empty. Never throws. */
export function importedServers(
  options: McpOptions & { readonly toolwrightHome: string },
  wanted: McpImport,
): ImportedServers {
  if (wanted === false || (wanted !== true && wanted.length === 0)) return { files: [], problems: [], watched: [] };
  const found = findMcpServers(options, wanted === true ? undefined : (name) => wanted.includes(name));
  const missed = wanted === true ? [] : missing(wanted, found, join(options.toolwrightHome, "settings.json"));
  return {
    files: toFiles(found.servers.filter(({ disabled }) => !disabled)),
    problems: [...found.problems, ...missed],
    // Claude Code writes to this file all the time, and rarely about servers.
    watched: found.files.filter((file) => file !== claudeFile(options)),
  };
}

function toFiles(servers: readonly ConfiguredServer[]): ToolFile[] {
  const locations = new Map<string, ToolLocation>();
  return servers.map(({ name, server, file, system, ofProject }) => {
    const location = locations.get(file) ?? { path: file, kind: ofProject ? "project" : "global", system, ofProject };
    locations.set(file, location);
    return { file: `${file}#${name}`, name, location, server };
  });
}

function missing(wanted: readonly string[], { servers, names }: FoundServers, settings: string): Problem[] {
  const named = (name: string): string => `"mcp.import" in the settings names the MCP server "${name}"`;
  return wanted.flatMap((name): Problem[] => {
    const off = servers.find((server) => server.name === name && server.disabled);
    if (off) {
      const message = `${named(name)}, which is disabled in this file. Enable it, or remove its name from the settings.`;
      return [{ file: off.file, code: "bad_definition", message }];
    }
    if (names.has(name)) return [];
    const [near] = nearest(name, names);
    const hint =
      near === undefined
        ? "Remove it there, or add the server to the configuration of an agent."
        : `Did you mean "${near}"?`;
    return [
      {
        file: settings,
        code: "bad_definition",
        message: `${named(name)}, but no agent has a server of that name. ${hint}`,
      },
    ];
  });
}
