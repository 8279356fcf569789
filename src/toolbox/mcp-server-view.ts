import { type ConfiguredServer, findMcpServers } from "../catalog/discovery/mcp-servers.ts";
import { projectPlace } from "../catalog/discovery/repository.ts";
import type { Problem } from "../core/problem.ts";
import type { Environment } from "../settings/defaults.ts";
import type { Toolbox } from "./toolbox.ts";

/** An MCP server in the configuration file of an agent, and whether its tools are served. */
export interface McpServerView {
  readonly name: string;
  readonly file: string;
  readonly state:
    | "imported"
    /** The setting `mcp.import` does not name it. */
    | "not_imported"
    /** Its configuration file disables it. */
    | "disabled"
    /** The project configures it, and is not trusted. */
    | "untrusted";
  /** The tools of it that are served. */
  readonly tools: number;
}

/** The servers of all configuration files, and the entries that are not valid. */
interface McpServersView {
  readonly servers: readonly McpServerView[];
  /** Those that `Toolbox.problems` does not report, because their servers are not imported. */
  readonly problems: readonly Problem[];
}

/** Finds the MCP servers that agents have, imported or not. Reads their configuration files, starts no server, never throws. */
export function mcpServersOf(toolbox: Toolbox, env: Environment): McpServersView {
  const { directory: cwd, trusted, homes, settings } = toolbox.project;
  const { home } = homes;
  const found = findMcpServers({ ...projectPlace(cwd, home), home, env, trusted });
  const counts = Map.groupBy(toolbox.list(), ({ file }) => file);
  const known = new Set(toolbox.problems().map(keyOf));
  return {
    servers: found.servers.map((server) => {
      const { name, file } = server;
      const state = stateOf(server, { trusted, wanted: settings.mcp.import });
      return { name, file, state, tools: counts.get(`${file}#${name}`)?.length ?? 0 };
    }),
    problems: found.problems.filter((problem) => !known.has(keyOf(problem))),
  };
}

function stateOf(
  { name, disabled, ofProject }: ConfiguredServer,
  { trusted, wanted }: { readonly trusted: boolean; readonly wanted: boolean | readonly string[] },
): McpServerView["state"] {
  if (disabled) return "disabled";
  if (!(typeof wanted === "boolean" ? wanted : wanted.includes(name))) return "not_imported";
  return ofProject && !trusted ? "untrusted" : "imported";
}

function keyOf({ file, message }: Problem): string {
  return JSON.stringify([file, message]);
}
