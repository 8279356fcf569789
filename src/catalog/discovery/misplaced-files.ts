import { type Dirent, readdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { readTextFile } from "../../platform/files/read-text-file.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { misspelled } from "../../platform/text/nearest.ts";
import { isToolFile } from "./candidates.ts";
import { projectPlace } from "./repository.ts";
import { ENTRY_FILES, PROJECT_FOLDERS } from "./tool-locations.ts";

/** A file that looks like a tool, in a folder that is not searched. */
export interface MisplacedFile {
  readonly file: string;
  /** The folder that it belongs into. */
  readonly folder: string;
}

interface MisplacedSearch {
  readonly cwd: string;
  readonly home: string;
  readonly toolwrightHome: string;
  readonly searched: readonly string[];
}

/** A folder to look into, and where its tool files belong. */
type Mistake = readonly [folder: string, belongs: string];

const MAX_FOUND = 20;
const MAX_ENTRIES = 500;
const MAX_BYTES = 200_000;
/** The beginning of a file shows whether it is a tool. */
const MAX_READ = 16_000;

/**
 * Finds tool files in folders whose names people confuse with tools folders. Lists a few folders, reads the beginning of
 * their code files, follows no links, and runs nothing. Never throws.
 */
export function findMisplacedFiles({ cwd, home, toolwrightHome, searched }: MisplacedSearch): MisplacedFile[] {
  const { directories } = projectPlace(cwd, home);
  const known = new Set(searched.map((path) => realPath(path) ?? path));
  const own = [...known].filter((path) => TOOLS_FOLDERS.some((folder) => path.endsWith(folder)));
  const mistakes = [...directories.flatMap(inProject), ...ofUser(home, toolwrightHome), ...own.flatMap(inToolsFolder)];
  const found = new Map<string, MisplacedFile>();
  for (const [folder, belongs] of mistakes) {
    if (known.has(realPath(folder) ?? folder)) continue;
    for (const entry of entriesOf(folder)) {
      const file = join(folder, entry.name);
      if (found.size >= MAX_FOUND) return [...found.values()];
      if (!entry.isFile() || !isToolFile(entry.name) || known.has(realPath(file) ?? file)) continue;
      if (looksLikeTool(file)) found.set(file, { file, folder: belongs });
    }
  }
  return [...found.values()];
}

/** Folders in which a single file is no tool are no place to move one to. */
const FILE_FOLDERS = PROJECT_FOLDERS.filter(([system]) => !ENTRY_FILES.has(system));

/** With the separator before them, as paths end. */
const TOOLS_FOLDERS = FILE_FOLDERS.map(([, folder]) => join(sep, folder));

/** The folders of each system, and the names of its tools folders, the usual one first. */
const SYSTEMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(FILE_FOLDERS, ([, folder]) => dirname(folder))].map(([dot, folders]) => [
    dot,
    folders.map(([, folder]) => basename(folder)),
  ]),
);

function inProject(directory: string): Mistake[] {
  const own = join(directory, ".toolwright", "tools");
  const names = entriesOf(directory).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return [
    ...["tools", "tool"].filter((name) => names.includes(name)).map((name): Mistake => [join(directory, name), own]),
    ...names.flatMap((name) => {
      const kinds = SYSTEMS.get(name);
      return kinds ? inSystem(join(directory, name), kinds) : inMisspelled(directory, name);
    }),
  ];
}

/** `.toolwright/*.ts`, `.toolwright/tool/*.ts`. */
function inSystem(folder: string, kinds: readonly string[]): Mistake[] {
  const usual = kinds[0] ?? "tools";
  const names = entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const wrong = names
    .filter((name) => !kinds.includes(name))
    .flatMap((name): Mistake[] => {
      const meant = misspelled(name, kinds)[0] ?? (/^tools?$/.test(name) ? usual : undefined);
      return meant === undefined ? [] : [[join(folder, name), join(folder, meant)]];
    });
  return [[folder, join(folder, usual)], ...wrong];
}

/** `.toolwrigth/tools/*.ts`. */
function inMisspelled(directory: string, name: string): Mistake[] {
  const [meant] = misspelled(
    name,
    [...SYSTEMS.keys()].filter((dot) => dot.length > 5),
  );
  if (meant === undefined) return [];
  return (SYSTEMS.get(meant) ?? []).map((kind) => [join(directory, name, kind), join(directory, meant, kind)]);
}

/** `.toolwright/tools/group/*.ts`: only the index file of a subfolder is loaded. Tool files may import the others. */
function inToolsFolder(folder: string): Mistake[] {
  const entries = entriesOf(folder);
  const isGroup = (entry: Dirent): boolean => {
    if (!entry.isDirectory() || /^\.|^node_modules$/.test(entry.name)) return false;
    const names = entriesOf(join(folder, entry.name)).map(({ name }) => name);
    return names.some(isToolFile) && !names.some((name) => /^(?:index\.\w+|package\.json)$/.test(name));
  };
  const groups = entries.filter(isGroup).map(({ name }) => name);
  const notImported = groupsNotImported(groups, folder, entries);
  return notImported.map((group) => [join(folder, group), folder]);
}

/** Reads tool files only until an import of each group is found: there may be hundreds, and most groups are imported by many. */
function groupsNotImported(groups: readonly string[], folder: string, entries: readonly Dirent[]): readonly string[] {
  let rest = groups;
  for (const entry of entries) {
    if (rest.length === 0) break;
    if (!entry.isFile() || !isToolFile(entry.name)) continue;
    const text = textOf(join(folder, entry.name));
    rest = rest.filter((group) => !text.includes(`./${group}`));
  }
  return rest;
}

function ofUser(home: string, toolwrightHome: string): Mistake[] {
  const agents: readonly (readonly [string, readonly string[]])[] = [
    [toolwrightHome, ["tools"]],
    [join(home, ".config/opencode"), ["tool", "tools", "plugin", "plugins"]],
    [join(home, ".pi/agent"), ["extensions"]],
    [join(home, ".omp/agent"), ["tools"]],
    ...[".atomic", ".claude", ".codex"].map((dot) => [join(home, dot), ["tools"]] as const),
  ];
  return [
    ...agents.flatMap(([folder, kinds]) => inSystem(folder, kinds)),
    [join(home, ".pi/extensions"), join(home, ".pi/agent/extensions")],
    [join(home, ".omp/tools"), join(home, ".omp/agent/tools")],
  ];
}

/** Empty for a folder that is a link, or that cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    const real = realPath(dirname(folder));
    if (real === undefined || realPath(folder) !== join(real, basename(folder))) return [];
    return readdirSync(folder, { withFileTypes: true }).slice(0, MAX_ENTRIES);
  } catch {
    return [];
  }
}

const PACKAGE =
  /["'](?:toolwright|@atomic\/plugin|@opencode-ai\/plugin(?:\/tool)?|@(?:oh-my-pi|mariozechner|earendil-works)\/pi-[\w-]+)["']/;
const EXPORT = /\bexport\b|\bmodule\.exports\b/;
const DEFAULT_EXPORT = /\bexport\s+default\b|\bmodule\.exports\b/;

/** The beginning of a file; empty if it is large, a link, or cannot be read. */
function textOf(file: string): string {
  const read = readTextFile(file, { largest: MAX_BYTES, untrusted: realPath(dirname(file)) ?? dirname(file) });
  return read.kind === "text" ? read.text.slice(0, MAX_READ) : "";
}

function looksLikeTool(file: string): boolean {
  const text = textOf(file);
  if (file.endsWith(".json")) return /"tools"\s*:\s*\[/.test(text) && /"handler"\s*:/.test(text);
  if (PACKAGE.test(text) && EXPORT.test(text)) return true;
  return DEFAULT_EXPORT.test(text) && /\bdescription\b/.test(text) && /\bexecute\b/.test(text);
}
