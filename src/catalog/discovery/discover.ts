import { dirname } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { leadsOutTo } from "../../platform/files/real-path.ts";
import { importedServers, type McpImport } from "./imported-servers.ts";
import { findOpenClawPlugins } from "./openclaw-plugins.ts";
import { findOpencodePlugins } from "./opencode-plugins.ts";
import { findPiExtensions } from "./pi-settings.ts";
import { findPlugins } from "./plugins.ts";
import { type FoundPlugin, type Scanned, scan } from "./scan.ts";
import type { Blocked, ToolFile, ToolLocation } from "./tool-file.ts";
import { findToolLocations, type LocationOptions } from "./tool-locations.ts";
import { type Trust, trustCommand } from "./trusted-projects.ts";
import { findXmcpProjects } from "./xmcp-projects.ts";

/** Where to look, and whether the user trusts the project. */
export interface DiscoverOptions extends LocationOptions {
  readonly trust: Trust;
  /** `mcp.import` of the settings: which MCP servers of agents are served too. None by default. */
  readonly mcpImport?: McpImport;
}

/** The result of discovery. Nothing has been run yet. */
export interface Discovered {
  readonly project: { readonly root: string; readonly trusted: boolean };
  /** Highest priority first. Includes those of an untrusted project. */
  readonly locations: readonly ToolLocation[];
  /** Every folder that is searched for tool files, including those that do not exist. */
  readonly possible: readonly string[];
  /** Manifests of packages and config files of MCP servers: a change to one changes what is found. */
  readonly watched: readonly string[];
  /** The files that may be run. None belongs to an untrusted project. */
  readonly files: readonly ToolFile[];
  readonly blocked: readonly Blocked[];
  readonly problems: readonly Problem[];
}

/** Finds the tool files for a working directory. Opens none of them, starts nothing, never throws. */
export function discover({ trust, mcpImport = false, ...where }: DiscoverOptions): Discovered {
  const { root } = where;
  const { trusted, problem } = trust;
  const options = { ...where, trusted };
  const opencode = findOpencodePlugins(options);
  const pi = findPiExtensions(options);
  const openclaw = findOpenClawPlugins(options);
  const xmcp = findXmcpProjects(options);
  const searched = { ...options, xmcpFolders: xmcp.folders };
  const { locations, possible, problems } = findToolLocations(searched, opencode, pi, openclaw);
  const packages = findPlugins(options);
  const servers = importedServers(options, mcpImport);
  const others: OtherTools = where.onlyConfigured
    ? NO_OTHERS
    : {
        plugins: [...packages.plugins, ...opencode.packages, ...pi.plugins],
        servers: servers.files,
        problems: [packages, opencode, pi, openclaw, servers].flatMap((found) => found.problems),
      };
  const { open, closed } = trusted
    ? { open: scan(locations, others.plugins), closed: NOTHING }
    : scanSeparately(locations, others.plugins, root);
  const isOn = ({ file }: ToolFile): boolean => !pi.turnedOff.has(file);
  const isOpen = ({ location }: ToolFile): boolean => trusted || !location.ofProject;
  return {
    project: { root, trusted },
    locations: [...locations, ...others.plugins.map(({ location }) => location), ...locationsOf(others.servers)],
    possible: [...possible, ...packages.folders, ...pi.folders],
    watched: [...packages.files, ...opencode.files, ...pi.files, ...openclaw.files, ...xmcp.files, ...servers.watched],
    files: [...open.files.filter(isOn), ...others.servers.filter(isOpen)],
    blocked: blockedByLocation([...closed.files.filter(isOn), ...others.servers.filter((file) => !isOpen(file))], root),
    problems: [
      ...(problem === undefined ? [] : [problem]),
      ...problems,
      ...open.problems,
      ...closed.problems,
      ...others.problems,
    ],
  };
}

/** Tools that are not in a folder. */
interface OtherTools {
  readonly plugins: readonly FoundPlugin[];
  readonly servers: readonly ToolFile[];
  readonly problems: readonly Problem[];
}

const NO_OTHERS: OtherTools = { plugins: [], servers: [], problems: [] };

const NOTHING: Scanned = { files: [], problems: [] };

/** Scans the user's locations separately: a link in an untrusted project must not hide a file of the user. */
function scanSeparately(
  locations: readonly ToolLocation[],
  plugins: readonly FoundPlugin[],
  root: string,
): { open: Scanned; closed: Scanned } {
  const elsewhere = locations.flatMap((location) => {
    const to = location.ofProject ? leadsOutTo(location.path, root) : undefined;
    return to === undefined ? [] : [{ location, to }];
  });
  const some = (ofProject: boolean): Scanned =>
    scan(
      locations.filter(
        (location) => location.ofProject === ofProject && !elsewhere.some((each) => each.location === location),
      ),
      plugins.filter(({ location }) => location.ofProject === ofProject),
      ofProject ? root : undefined,
    );
  const closed = some(true);
  const problems = elsewhere.map(({ location, to }) => linkOutProblem(location, to, root));
  return { open: some(false), closed: { ...closed, problems: [...closed.problems, ...problems] } };
}

function linkOutProblem({ path }: ToolLocation, to: string, root: string): Problem {
  const message = `This tools folder is a link out of the project, to ${to}. It is not read before the project is trusted. If the link is yours, run: ${trustCommand(root)}`;
  return { file: path, code: "unreadable", message };
}

function locationsOf(files: readonly ToolFile[]): ToolLocation[] {
  return [...new Set(files.map(({ location }) => location))];
}

function blockedByLocation(files: readonly ToolFile[], root: string): Blocked[] {
  if (files.length === 0) return [];
  const fix = trustCommand(root);
  return [...Map.groupBy(files, ({ location }) => location)].map(([location, found]) => ({
    directory: isFolder(location, found) ? location.path : dirname(location.path),
    files: found.map(({ file }) => file),
    fix,
  }));
}

function isFolder(location: ToolLocation, found: readonly ToolFile[]): boolean {
  return !found.some(({ file, server }) => file === location.path || server !== undefined);
}
