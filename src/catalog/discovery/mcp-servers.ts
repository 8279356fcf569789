import type { McpServer } from "../../core/mcp-server.ts";
import type { Problem } from "../../core/problem.ts";
import type { System } from "../../core/tool.ts";
import { defined } from "../../platform/values/defined.ts";
import type { AgentHomes } from "./agent-homes.ts";
import { type McpConfig, mcpConfigs } from "./mcp-configs.ts";
import { type McpEntry, readMcpEntry } from "./mcp-entry.ts";
import { readAgentConfig } from "./read-config-file.ts";
import type { ProjectPlace } from "./repository.ts";
import { folderOutsideProject } from "./start-options.ts";

/** An MCP server in the config file of an agent. */
export interface ConfiguredServer {
  readonly name: string;
  readonly server: McpServer;
  /** The config file. */
  readonly file: string;
  readonly system: System;
  /** Whether the project configures it. If so, it is not started before the project is trusted. */
  readonly ofProject: boolean;
  readonly disabled: boolean;
}

/** The servers found: the project's before the user's, those of the nearest directory first. */
export interface FoundServers {
  /** Each name once; in an untrusted project once for the project and once for the user. */
  readonly servers: readonly ConfiguredServer[];
  /** Every configured name, including those of invalid entries. */
  readonly names: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** The config files. They need not exist. */
  readonly files: readonly string[];
}

/** Where to look for servers. */
export interface McpOptions extends ProjectPlace, AgentHomes {
  /** In an untrusted project, variables are not replaced, and its servers do not hide the user's. */
  readonly trusted: boolean;
}

/** Finds the MCP servers in the config files of agents. Starts none of them, never throws. */
export function findMcpServers(options: McpOptions, isWanted: (name: string) => boolean = () => true): FoundServers {
  const { env, home, root } = options;
  const outside = folderOutsideProject(root, home);
  const servers: ConfiguredServer[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  const taken = new Set<string>();
  const configs = mcpConfigs(options);
  for (const config of configs) {
    // The user's servers are not started in an untrusted project: see `startOptions`.
    const { fillIn, ...rest } = options.trusted || config.ofProject ? config : { ...config, cwd: outside };
    const mayFill = options.trusted || !config.ofProject;
    for (const { name, entry, line } of entriesOf(config, problems, mayFill ? undefined : root)) {
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
  return { servers, names, problems, files: configs.map(({ file }) => file) };
}

interface NamedEntry {
  readonly name: string;
  readonly entry: unknown;
  line(): number | undefined;
}

function entriesOf({ file, sections }: McpConfig, problems: Problem[], untrusted?: string): NamedEntry[] {
  const read = readAgentConfig(file, "MCP servers", untrusted);
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
  return { file, code: "bad_definition", message, ...defined({ line }) };
}
