import { dirname, sep } from "node:path";
import type { Problem } from "../core/problem.ts";
import { leadsOutTo } from "../files/real-path.ts";
import { type ImportedServers, importedServers, type McpImport } from "./imported-servers.ts";
import type { Place, ToolFile } from "./place.ts";
import { findPlaces, type PlacesOptions } from "./places.ts";
import { findPlugins } from "./plugins.ts";
import { projectOf } from "./repository.ts";
import { type Plugin, type Scanned, scan } from "./scan.ts";
import { trustOf } from "./trusted-projects.ts";

/** Where to look, and what says that the project is trusted. */
export interface DiscoverOptions extends PlacesOptions {
  /** `trust.parents` of the user's settings. */
  readonly parents: readonly string[];
  /** `--trust`. */
  readonly trust: boolean;
  /** `mcp.import` of the settings: which of the MCP servers that people have are served too. None by default. */
  readonly mcpImport?: McpImport;
}

/** Tool files and MCP servers of an untrusted project, which are not run. */
export interface Blocked {
  readonly directory: string;
  readonly files: readonly string[];
  /** The command that unblocks them, ready to paste, in whichever directory. */
  readonly fix: string;
}

/** Everything that was found, before any of it is run. */
export interface Discovered {
  readonly project: { readonly root: string; readonly trusted: boolean };
  /** Highest priority first, those of an untrusted project included. */
  readonly places: readonly Place[];
  /** Every folder in which a tool file would be found, whether or not there is one now. */
  readonly possible: readonly string[];
  /** Files that decide what else there is: manifests of packages, configurations of MCP servers. */
  readonly watched: readonly string[];
  /** What may be run: nothing of an untrusted project. */
  readonly files: readonly ToolFile[];
  readonly blocked: readonly Blocked[];
  readonly problems: readonly Problem[];
}

/** Finds the tool files for a working directory. Opens none of them, starts nothing and never throws. */
export function discover(options: DiscoverOptions): Discovered {
  const root = projectOf(options.cwd);
  const { trusted, problem } = trustOf({ ...options, project: root, flag: options.trust });
  const { places, possible, problems } = findPlaces(options);
  const found = findPlugins({ ...options, trusted });
  const servers = importedServers({ ...options, trusted }, options.mcpImport ?? false);
  const { open, closed } = trusted
    ? { open: scan(places, found.plugins), closed: NOTHING }
    : scanApart(places, found.plugins, root);
  const isOpen = ({ place }: ToolFile): boolean => trusted || !place.ofProject;
  return {
    project: { root, trusted },
    places: [...places, ...found.plugins.map(({ place }) => place), ...placesOf(servers)],
    possible: [...possible, ...found.folders],
    watched: [...found.files, ...servers.watched],
    files: [...open.files, ...servers.files.filter(isOpen)],
    blocked: blockedPlaces([...closed.files, ...servers.files.filter((file) => !isOpen(file))], root),
    problems: [
      ...(problem === undefined ? [] : [problem]),
      ...problems,
      ...open.problems,
      ...closed.problems,
      ...found.problems,
      ...servers.problems,
    ],
  };
}

const NOTHING: Scanned = { files: [], problems: [] };

/** Apart, so that a file of the user's stays one even if an untrusted project links to it. */
function scanApart(
  places: readonly Place[],
  plugins: readonly Plugin[],
  root: string,
): { open: Scanned; closed: Scanned } {
  const elsewhere = places.flatMap((place) => {
    const to = place.ofProject ? leadsOutTo(place.path, root) : undefined;
    return to === undefined ? [] : [{ place, to }];
  });
  const some = (ofProject: boolean): Scanned =>
    scan(
      places.filter((place) => place.ofProject === ofProject && !elsewhere.some((each) => each.place === place)),
      plugins.filter(({ place }) => place.ofProject === ofProject),
    );
  const closed = some(true);
  const problems = elsewhere.map(({ place, to }) => notLookedInto(place, to, root));
  return { open: some(false), closed: { ...closed, problems: [...closed.problems, ...problems] } };
}

function notLookedInto({ path }: Place, to: string, root: string): Problem {
  const message = `This tools folder leads out of the project, to ${to}, so it is not looked into before the project is trusted. If the link is yours, run: ${trustCommand(root)}`;
  return { file: path, code: "unreadable", message };
}

function trustCommand(root: string): string {
  return `toolwright trust --cwd ${shellWord(root)}`;
}

function placesOf({ files }: ImportedServers): Place[] {
  return [...new Set(files.map(({ place }) => place))];
}

function blockedPlaces(files: readonly ToolFile[], root: string): Blocked[] {
  if (files.length === 0) return [];
  const fix = trustCommand(root);
  return [...Map.groupBy(files, ({ place }) => place)].map(([place, found]) => ({
    directory: isFolder(place, found) ? place.path : dirname(place.path),
    files: found.map(({ file }) => file),
    fix,
  }));
}

function isFolder(place: Place, found: readonly ToolFile[]): boolean {
  return !found.some(({ file, server }) => file === place.path || server !== undefined);
}

/** One word for the user's shell, whatever the folder is called. */
function shellWord(path: string): string {
  if (sep === "\\") return /[^\w@%+=:,./\\-]/.test(path) ? `"${path}"` : path;
  return /[^\w@%+=:,./-]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : path;
}
