import { dirname, join } from "node:path";
import type { System } from "../../core/tool.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { type AgentHomes, claudeFile, copilotFolder } from "./agent-homes.ts";
import { type FillIn, fillInBraces, fillInShell } from "./mcp-variables.ts";
import { isOpencodeServer, opencodeProjectFiles, opencodeSections, opencodeUserFiles } from "./opencode-config.ts";
import { belongsToProject, type ProjectPlace } from "./repository.ts";

/** A config file of an agent that may hold MCP servers. It need not exist. */
export interface McpConfig {
  readonly file: string;
  readonly system: System;
  readonly ofProject: boolean;
  /** The base of relative paths in it. */
  readonly folder: string;
  /** The default working directory of its servers. */
  readonly cwd?: string;
  readonly fillIn: FillIn;
  /** The sections of the file that hold servers. The first section with a name wins. */
  sections(value: unknown): readonly McpSection[];
}

/** Servers by name. */
interface McpSection {
  readonly path: readonly string[];
  readonly entries: Readonly<Record<string, unknown>>;
}

/** The config files of all agents, highest priority first. */
export function mcpConfigs({ cwd, root, directories, home, env }: ProjectPlace & AgentHomes): McpConfig[] {
  const own = userConfigs({ cwd, home, env }, [cwd, root]);
  return [
    ...directories.flatMap(projectConfigs),
    ...own.map((config) => ({ ...config, ofProject: belongsToProject(config.file, root, home) })),
  ];
}

/** The config files in one directory of a project. */
export function projectConfigs(folder: string): McpConfig[] {
  const at = { folder, cwd: folder, ofProject: true };
  return [
    { ...at, file: join(folder, ".mcp.json"), ...CLAUDE },
    { ...at, file: join(folder, ".github/mcp.json"), ...COPILOT },
    { ...at, file: join(folder, ".copilot/mcp-config.json"), ...COPILOT },
    ...opencodeProjectFiles(folder).map((file) => ({ ...at, file, ...OPENCODE })),
  ];
}

/** Claude Code has sections for single projects in the user's file. They belong to the user. */
function userConfigs(at: AgentHomes, projects: readonly string[]): Omit<McpConfig, "ofProject">[] {
  const { home: folder } = at;
  return [
    { folder, file: claudeFile(at), ...CLAUDE, sections: (value) => claudeSections(value, projects) },
    { folder, file: join(copilotFolder(at), "mcp-config.json"), ...COPILOT },
    ...opencodeUserFiles(at).map((file) => ({ folder: dirname(file), file, ...OPENCODE })),
  ];
}

type Kind = Pick<McpConfig, "system" | "fillIn" | "sections">;

const CLAUDE: Kind = { system: "claude", fillIn: fillInShell, sections: (value) => sectionAt(value, ["mcpServers"]) };
/** The folder of Copilot holds extensions, which are no MCP servers. */
const COPILOT: Kind = { ...CLAUDE, system: "toolwright" };
const OPENCODE: Kind = {
  system: "opencode",
  fillIn: fillInBraces,
  sections: (value) => opencodeSections(value).flatMap((path) => sectionAt(value, path).map(serversOnly)),
};

function serversOnly({ path, entries }: McpSection): McpSection {
  if (path.length > 1) return { path, entries };
  const servers = Object.entries(entries).filter(([name, value]) => isOpencodeServer(name, value));
  return { path, entries: Object.fromEntries(servers) };
}

function claudeSections(value: unknown, projects: readonly string[]): McpSection[] {
  return [
    ...projects.flatMap((project) => sectionAt(value, ["projects", project, "mcpServers"])),
    ...sectionAt(value, ["mcpServers"]),
  ];
}

function sectionAt(value: unknown, path: readonly string[]): McpSection[] {
  let entries = value;
  for (const key of path) entries = isObject(entries) && Object.hasOwn(entries, key) ? entries[key] : undefined;
  return isObject(entries) ? [{ path, entries }] : [];
}
