import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entriesIn } from "../../platform/files/entries-in.ts";
import { isInside } from "../../platform/files/inside.ts";
import { leadsOutTo, realPath } from "../../platform/files/real-path.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { discover } from "./discover.ts";
import { projectConfigs } from "./mcp-configs.ts";
import { readText } from "./read-config-file.ts";
import { projectOf, projectPlace, repositoryRoot } from "./repository.ts";
import { type LocationOptions, PROJECT_FOLDERS } from "./tool-locations.ts";

/** After this many directories the search ends, and the project counts as used. */
const MAX_DIRECTORIES = 20_000;

/** The working directory, and where the user has tools. */
type SearchedPlaces = Omit<LocationOptions, "root" | "directories">;

/**
 * Whether trusting a project would run nothing that is in it now. Discovery, as for a trusted project, must find nothing in any
 * of its directories, and none of the packages that the first tool file imports, unless Toolwright itself runs from the project.
 * Call it before the first tool file is written.
 */
export function isSafeToTrust(options: SearchedPlaces, imports: readonly string[]): boolean {
  const root = projectOf(options.cwd);
  if (holdsTools(root, root, options) || OVERRIDES.some((path) => isThere(join(root, path)))) return false;
  if (!runsFrom(root) && imports.some((name) => isInstalled(name, root))) return false;
  // Outside a repository each subfolder is a separate project.
  if (repositoryRoot(root) === undefined) return true;
  const waiting = [root];
  for (let visited = 0; waiting.length > 0; visited += 1) {
    if (visited > MAX_DIRECTORIES) return false;
    const directory = waiting.pop() ?? "";
    if (directory !== root && existsSync(join(directory, ".git"))) continue;
    if (directory !== root && mayHoldTools(directory) && holdsTools(directory, root, options)) return false;
    waiting.push(...foldersIn(directory));
  }
  return true;
}

/** Files that would override Toolwright's packages in the imports of the first tool file. */
const OVERRIDES = ["package.json", "node_modules", "tools/package.json", "tools/node_modules"].map((path) =>
  join(".toolwright", path),
);

/** An unreadable file counts: it may be readable later. */
function holdsTools(directory: string, root: string, options: SearchedPlaces): boolean {
  const place = projectPlace(directory, options.home);
  const { files, problems } = discover({ ...options, ...place, trust: { trusted: true }, mcpImport: true });
  return (
    files.some(({ location }) => location.ofProject) ||
    problems.some(({ code, file }) => code === "unreadable" && isInside(root, file))
  );
}

/** The first segments of all paths that discovery reads in a directory of a project. */
const FIRST_SEGMENTS = new Set(
  [...PROJECT_FOLDERS.map(([, folder]) => folder), ...projectConfigs("").map(({ file }) => file), "package.json"].map(
    (path) => path.split(/[\\/]/, 1)[0] ?? path,
  ),
);

/** A quick check before the search. Asks the file system, which may ignore case. */
function mayHoldTools(directory: string): boolean {
  return [...FIRST_SEGMENTS].some((name) => isThere(join(directory, name)));
}

/**
 * Whether an import of this package in the tools folder could resolve to a file of the project. Files with any extension count,
 * since runtimes try different ones. A link to a package outside the project does not count.
 */
function isInstalled(specifier: string, root: string): boolean {
  const name = packageNameOf(specifier);
  const folder = join(root, "node_modules", dirname(name));
  const base = basename(name).toLowerCase();
  const isPackage = (entry: string): boolean => entry === base || entry.startsWith(`${base}.`);
  return (
    entriesIn(folder).some(
      (entry) => isPackage(entry.name.toLowerCase()) && !leadsOutTo(join(folder, entry.name), root),
    ) || isNamed(name, root)
  );
}

/** Searches the text: if the key occurs twice, runtimes differ in which they use. */
function isNamed(name: string, root: string): boolean {
  const text = (readText(join(root, "package.json"), root) ?? "").replace(
    /\\(?:u([\da-f]{4})|(.))/gi,
    (_, code: string | undefined, char: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : char),
  );
  return new RegExp(`"name"\\s*:\\s*"${name}"`).test(text);
}

/** Whether this code is in the project: then the user already runs a package of the project. */
function runsFrom(root: string): boolean {
  const file = fileURLToPath(import.meta.url);
  return isInside(root, realPath(file) ?? file);
}

/** True also for a broken link. */
function isThere(path: string): boolean {
  return tryOrUndefined(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined) ?? false;
}

/** Follows no links: their targets are in the project and searched anyway, or belong to another project. */
function foldersIn(directory: string): string[] {
  return entriesIn(directory)
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
    .map(({ name }) => join(directory, name));
}
