import type { McpServer } from "../core/mcp-server.ts";
import type { Problem } from "../core/problem.ts";
import type { System } from "../core/tool.ts";
import { readJsoncFile } from "./jsonc-file.ts";
import { type McpConfig, type McpConfigOptions, mcpConfigs } from "./mcp-configs.ts";
import { type McpEntry, readMcpEntry } from "./mcp-entry.ts";
import { projectOf } from "./repository.ts";
import { folderOutside } from "./start-place.ts";

/** An MCP server that somebody has configured for an agent. */
export interface ConfiguredServer {
  readonly name: string;
  readonly server: McpServer;
  /** The configuration that it stands in. */
  readonly file: string;
  readonly system: System;
  /** Whether the project brought it along, so that it is not started before the project is trusted. */
  readonly ofProject: boolean;
  readonly disabled: boolean;
}

/** The servers that were found: the project's before the user's, those of the nearest directory first. */
export interface FoundServers {
  /** Each name once; while the project is not trusted, once among its own and once among the user's. */
  readonly servers: readonly ConfiguredServer[];
  /** Every name that is configured, also of what cannot be used. */
  readonly names: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Whose servers are looked for. */
export interface McpOptions extends McpConfigOptions {
  /** Of a project that is not, variables are not filled in, and its servers stand in nobody's way. */
  readonly trusted: boolean;
}

/** Finds the MCP servers that people have configured for their agents. Starts none of them and never throws. */
export function findMcpServers(options: McpOptions, isWanted: (name: string) => boolean = () => true): FoundServers {
  const { env, home } = options;
  const project = projectOf(options.cwd);
  const outside = folderOutside(project, home);
  const servers: ConfiguredServer[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  const taken = new Set<string>();
  for (const config of mcpConfigs(options)) {
    // A server of the user's is not started in a project that is not trusted: see `startPlace`.
    const { fillIn, ...rest } = options.trusted || config.ofProject ? config : { ...config, cwd: outside };
    const mayFill = options.trusted || !config.ofProject;
    for (const { name, entry, line } of entriesOf(config, problems, mayFill ? undefined : project)) {
      const key = options.trusted ? name : `${config.ofProject} ${name}`;
      names.add(name);
      if (taken.has(key)) continue;
      taken.add(key);
      if (!isWanted(name)) continue;
      const found = readMcpEntry(name, entry, mayFill ? { ...rest, fillIn, env, home } : { ...rest, env, home });
      if (found.kind === "server") servers.push(configured(name, config, found));
      if (found.kind === "wrong") problems.push(wrongEntry(config.file, name, found.reason, line()));
    }
  }
  return { servers, names, problems };
}

interface NamedEntry {
  readonly name: string;
  readonly entry: unknown;
  line(): number | undefined;
}

function entriesOf({ file, sections }: McpConfig, problems: Problem[], untrusted?: string): NamedEntry[] {
  const read = readJsoncFile(file, untrusted);
  if (read.kind === "problem") problems.push(read.problem);
  if (read.kind !== "read") return [];
  return sections(read.value).flatMap(({ path, entries }) =>
    Object.entries(entries).map(([name, entry]) => ({ name, entry, line: () => read.lineOf([...path, name]) })),
  );
}

function configured(name: string, config: McpConfig, found: McpEntry & { kind: "server" }): ConfiguredServer {
  const { file, system, ofProject } = config;
  return { name, server: found.server, file, system, ofProject, disabled: found.disabled };
}

function wrongEntry(file: string, name: string, reason: string, line: number | undefined): Problem {
  const message = `The MCP server ${JSON.stringify(name)} ${reason}.`;
  return { file, code: "bad_definition", message, ...(line === undefined ? {} : { line }) };
}
