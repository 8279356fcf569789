import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import type { System } from "../../core/tool.ts";
import { hasCode } from "../../platform/files/error-code.ts";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { expandHome } from "../../settings/defaults.ts";
import type { ConfiguredPath } from "../../settings/settings.ts";
import { type AgentHomes, claudeFolder, folderNamedBy, openClawFolder, piFolder, xdgFolder } from "./agent-homes.ts";
import { openClawEntries } from "./openclaw-entries.ts";
import { opencodeFolders } from "./opencode-config.ts";
import type { OpencodePlugins } from "./opencode-plugins.ts";
import type { PiExtensions } from "./pi-settings.ts";
import type { ProjectPlace } from "./repository.ts";
import type { ToolLocation } from "./tool-file.ts";

/** The environment and the paths that determine where tools are searched. */
export interface LocationOptions extends ProjectPlace, AgentHomes {
  readonly toolwrightHome: string;
  /** Highest priority first: flags, then settings. Relative paths start at the project. */
  readonly paths: readonly ConfiguredPath[];
  /** Leaves out the other places. */
  readonly onlyConfigured?: boolean;
  /** The tools folders of projects of xmcp, by directory of the project. */
  readonly xmcpFolders?: ReadonlyMap<string, string>;
}

/** The locations that exist, and every path that was tried. */
interface FoundLocations {
  /** Highest priority first, each real directory once. */
  readonly locations: readonly ToolLocation[];
  readonly possible: readonly string[];
  readonly problems: readonly Problem[];
}

/** Finds the tool locations for a working directory. Never throws. */
export function findToolLocations(
  options: LocationOptions,
  plugins: typeof NO_PLUGINS = NO_PLUGINS,
  pi: typeof NO_EXTENSIONS = NO_EXTENSIONS,
  openclaw: typeof NO_EXTENSIONS = NO_EXTENSIONS,
): FoundLocations {
  const problems: Problem[] = [];
  const search: Search = { ...options, realHome: realPath(options.home), plugins, pi, openclaw, problems };
  const candidates = [...configuredLocations(search), ...projectLocations(search), ...globalLocations(search)];
  const locations = new Map<string, ToolLocation>();
  for (const candidate of candidates) {
    if (options.onlyConfigured && candidate.location.kind !== "configured") continue;
    const found = lookUp(candidate);
    if (found.kind === "problem") problems.push(found.problem);
    if (found.kind === "location") add(locations, found.real, candidate.location);
  }
  return { locations: [...locations.values()], possible: candidates.map(({ location }) => location.path), problems };
}

const NO_OPTIONS = { options: {}, disabled: [], configs: [] };
const NO_PLUGINS: Pick<OpencodePlugins, "inProject" | "ofUser" | "inFolders"> = {
  inProject: new Map(),
  ofUser: [],
  inFolders: { project: NO_OPTIONS, user: NO_OPTIONS },
};

const NO_EXTENSIONS: Pick<PiExtensions, "inProject" | "ofUser"> = { inProject: new Map(), ofUser: [] };

interface Search extends LocationOptions {
  readonly realHome: string | undefined;
  readonly plugins: typeof NO_PLUGINS;
  readonly pi: typeof NO_EXTENSIONS;
  readonly openclaw: typeof NO_EXTENSIONS;
  readonly problems: Problem[];
}

interface Candidate {
  readonly location: ToolLocation;
  /** The flag or settings file that names it. Only a named location must exist, and may be a single file. */
  readonly from?: string;
}

/**
 * Of several paths to one directory the first is used, but the user's before those of the project: a project must not block the
 * user's tools by linking to them, nor decide how they are read.
 */
function add(locations: Map<string, ToolLocation>, real: string, location: ToolLocation): void {
  const first = locations.get(real);
  if (first !== undefined && (!first.ofProject || location.ofProject)) return;
  // At the place of the user's location in the order, not at that of the project's.
  locations.delete(real);
  locations.set(real, location);
}

const OPENCLAW_FOLDER = ".openclaw/extensions";

/**
 * The tools folders of each system, relative to a directory of a project. Kilo is a fork of OpenCode. Early versions of pi had
 * `.pi/tools` and `.pi/hooks`. Files of hooks are extensions without tools.
 */
export const PROJECT_FOLDERS: readonly (readonly [System, string])[] = [
  ["toolwright", ".toolwright/tools"],
  ["atomic", ".atomic/tools"],
  ["atomic", ".atomic/extensions"],
  ["opencode", ".opencode/tool"],
  ["opencode", ".opencode/tools"],
  ["opencode", ".opencode/plugin"],
  ["opencode", ".opencode/plugins"],
  ["opencode", ".kilo/tool"],
  ["opencode", ".kilo/tools"],
  ["opencode", ".kilo/plugin"],
  ["opencode", ".kilo/plugins"],
  ["omp", ".omp/tools"],
  ["omp", ".omp/extensions"],
  ["omp", ".omp/hooks/pre"],
  ["omp", ".omp/hooks/post"],
  ["pi", ".pi/extensions"],
  ["pi", ".pi/tools"],
  ["pi", ".pi/hooks"],
  ["claude", ".claude/tools"],
  ["codex", ".codex/tools"],
  ["roo", ".roo/tools"],
  ["amp", ".amp/plugins"],
  ["copilot", ".github/extensions"],
  ["openclaw", OPENCLAW_FOLDER],
];

/** The systems that run only files of this name, in subfolders: Copilot CLI runs `<name>/extension.mjs`. */
export const ENTRY_FILES: ReadonlyMap<System, string> = new Map([["copilot", "extension.mjs"]]);

function configuredLocations(search: Search): Candidate[] {
  return search.paths.flatMap(({ path, from }): Candidate[] => {
    const absolute = resolve(search.root, expandHome(path, search.home));
    const ofProject = belongsToProject(absolute, search);
    const location: ToolLocation = { path: absolute, kind: "configured", system: systemOf(absolute), ofProject };
    const entries = openClawEntries(absolute, search.problems, ofProject ? search.root : undefined);
    if (entries.length === 0) return [{ location, from }];
    return entries.map((entry) => ({ location: { ...location, path: entry, system: "openclaw" }, from }));
  });
}

/** Checks the path and the real path: a project controls its links. */
function belongsToProject(path: string, search: Search): boolean {
  // If the project is the home folder, only the user's settings and flags can name a path.
  if (search.root === search.realHome) return false;
  return isInside(search.root, resolve(path)) || isInside(search.root, realPath(path) ?? resolve(path));
}

function systemOf(path: string): System {
  const names = path.split(/[\\/]/);
  const known = PROJECT_FOLDERS.findLast(([system]) => names.includes(`.${system}`));
  return known?.[0] ?? "toolwright";
}

/**
 * Files that OpenCode's configuration names come before its plugin folders: their options must apply. Those that pi's settings
 * name come before its folders, as in pi.
 */
function projectLocations(search: Search): Candidate[] {
  const { inProject, inFolders } = search.plugins;
  return search.directories.flatMap((directory) => [
    ...PROJECT_FOLDERS.flatMap(([system, folder]): Candidate[] => {
      const location: ToolLocation = {
        path: join(directory, folder),
        kind: "project",
        system,
        ofProject: true,
        ...entryOf(system),
      };
      if (folder === OPENCLAW_FOLDER) return [...(search.openclaw.inProject.get(directory) ?? []), { location }];
      if (folder === ".pi/extensions") return [...(search.pi.inProject.get(directory) ?? []), { location }];
      if (!PLUGIN_FOLDERS.includes(folder)) return [{ location }];
      const named = folder === PLUGIN_FOLDERS[0] ? (inProject.get(directory) ?? []) : [];
      return [...named, { location: { ...location, opencodePlugin: inFolders.project } }];
    }),
    ...xmcpFolder(directory, search),
  ]);
}

function xmcpFolder(directory: string, { xmcpFolders }: Search): Candidate[] {
  const path = xmcpFolders?.get(directory);
  return path === undefined ? [] : [{ location: { path, kind: "project", system: "xmcp", ofProject: true } }];
}

const PLUGIN_FOLDERS = [".opencode/plugin", ".opencode/plugins", ".kilo/plugin", ".kilo/plugins"];

/** `$OPENCODE_CONFIG_DIR` comes before the other folders of OpenCode; `$AYND_TEST_TOOLS_DIR` replaces that of aynd. */
function globalLocations(search: Search): Candidate[] {
  const { home, env, toolwrightHome } = search;
  const aynd = env.AYND_TEST_TOOLS_DIR && resolve(search.cwd, env.AYND_TEST_TOOLS_DIR);
  const inFolder = (system: System, folder: string, names: readonly string[]): Candidate[] =>
    names.map((name) => fromVariable(system, join(folder, name), search));
  return [
    userLocation("toolwright", join(toolwrightHome, "tools")),
    userLocation("atomic", join(home, ".atomic/tools")),
    userLocation("atomic", join(home, ".atomic/agent/extensions")),
    ...opencodeLocations(search),
    ...inFolder("omp", piFolder(".omp", search), ["tools", "extensions", "hooks/pre", "hooks/post"]),
    ...search.pi.ofUser,
    ...inFolder("pi", piFolder(".pi", search), ["extensions", "tools", "hooks"]),
    ...inFolder("claude", claudeFolder(search), ["tools"]),
    ...inFolder("codex", folderNamedBy("CODEX_HOME", join(home, ".codex"), search), ["tools"]),
    userLocation("roo", join(home, ".roo/tools")),
    ...inFolder("amp", join(xdgFolder(search), "amp"), ["plugins"]),
    ...inFolder("copilot", folderNamedBy("COPILOT_HOME", join(home, ".copilot"), search), ["extensions"]),
    ...search.openclaw.ofUser,
    ...inFolder("openclaw", openClawFolder(search), ["extensions"]),
    aynd ? fromVariable("aynd", aynd, search) : userLocation("aynd", join(home, ".config/aynd/tools")),
    userLocation("qraftbox", join(home, ".config/qraftbox/tools")),
    userLocation("toolwright", join(home, ".agent/tools")),
  ];
}

function opencodeLocations(search: Search): Candidate[] {
  const { ofUser, inFolders } = search.plugins;
  const folders = [...opencodeFolders(search), join(xdgFolder(search), "kilo")];
  const inEach = (names: readonly string[]): Candidate[] =>
    folders.flatMap((folder) => names.map((name) => fromVariable("opencode", join(folder, name), search)));
  const plugins = inEach(["plugin", "plugins"]).map(({ location }) => ({
    location: { ...location, opencodePlugin: location.ofProject ? inFolders.project : inFolders.user },
  }));
  return [...inEach(["tool", "tools"]), ...ofUser, ...plugins];
}

function userLocation(system: System, path: string): Candidate {
  return { location: { path, kind: "global", system, ofProject: false, ...entryOf(system) } };
}

function entryOf(system: System): Pick<ToolLocation, "entryFile"> {
  const entryFile = ENTRY_FILES.get(system);
  return entryFile === undefined ? {} : { entryFile };
}

/** A variable that points into the project does not make the project trusted. */
function fromVariable(system: System, path: string, search: Search): Candidate {
  const ofProject = belongsToProject(path, search);
  return { location: { path, kind: "global", system, ofProject, ...entryOf(system) } };
}

type Lookup =
  | { readonly kind: "location"; readonly real: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly problem: Problem };

function lookUp({ location, from }: Candidate): Lookup {
  try {
    const entry = lstatSync(location.path, { throwIfNoEntry: false });
    if (entry === undefined) return missing(location.path, from);
    const target = entry.isSymbolicLink() ? statSync(location.path) : entry;
    if (!target.isDirectory() && !(target.isFile() && from !== undefined)) return { kind: "nothing" };
    return { kind: "location", real: realPath(location.path) ?? location.path };
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return missing(location.path, from);
    const named = from === undefined ? "" : ` It is named by ${from}.`;
    return unreadable(location.path, `This tools folder cannot be read: ${messageOf(error)}.${named}`);
  }
}

function missing(path: string, from: string | undefined): Lookup {
  if (from === undefined) return { kind: "nothing" };
  return unreadable(
    path,
    `There is no such file or folder. It is named by ${from}. Correct the path there, or create it.`,
  );
}

function unreadable(file: string, message: string): Lookup {
  return { kind: "problem", problem: { file, code: "unreadable", message } };
}
