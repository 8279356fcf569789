import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "../files/inside.ts";
import { leadsOutTo, realPath } from "../files/real-path.ts";
import { type DiscoverOptions, discover } from "./discover.ts";
import { projectConfigs } from "./mcp-configs.ts";
import { PROJECT_FOLDERS } from "./places.ts";
import { readText } from "./read-text.ts";
import { projectOf, repositoryRoot } from "./repository.ts";

/** Directories that are looked into before the search is given up and the answer is no. */
const MOST_DIRECTORIES = 20_000;

/**
 * Whether trusting a project would let nothing run that is in it now: discovery, which is asked as for a trusted project,
 * finds nothing of it in any directory, and none of the packages that the first tool file would import, unless Toolwright
 * itself runs from there. Ask before that file is written.
 */
export function isUnusedProject(options: Omit<DiscoverOptions, "trust">, imports: readonly string[]): boolean {
  const root = projectOf(options.cwd);
  if (holdsTools(root, root, options) || OVERRIDES.some((path) => isThere(join(root, path)))) return false;
  if (!runsFrom(root) && imports.some((name) => isInstalled(name, root))) return false;
  // Outside a repository a folder further down is a project of its own.
  if (repositoryRoot(root) === undefined) return true;
  const waiting = [root];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    if (looked > MOST_DIRECTORIES) return false;
    const directory = waiting.pop() ?? "";
    if (directory !== root && existsSync(join(directory, ".git"))) continue;
    if (directory !== root && mayHoldTools(directory) && holdsTools(directory, root, options)) return false;
    waiting.push(...foldersIn(directory));
  }
  return true;
}

/** What would come before our own packages in the imports of the first tool file. */
const OVERRIDES = ["package.json", "node_modules", "tools/package.json", "tools/node_modules"].map((path) =>
  join(".toolwright", path),
);

/** What cannot be read now counts as well: it may be readable later. */
function holdsTools(directory: string, root: string, options: Omit<DiscoverOptions, "trust">): boolean {
  const { files, problems } = discover({ ...options, cwd: directory, trust: true, mcpImport: true });
  return (
    files.some(({ place }) => place.ofProject) ||
    problems.some(({ code, file }) => code === "unreadable" && isInside(root, file))
  );
}

/** The first parts of all paths at which discovery looks in a directory of a project. */
const LEADS = new Set(
  [...PROJECT_FOLDERS.map(([, folder]) => folder), ...projectConfigs("").map(({ file }) => file), "package.json"].map(
    (path) => path.split(/[\\/]/, 1)[0] ?? path,
  ),
);

/** Spares a search in the many directories that have nothing of the kind. The file system compares names in its own way. */
function mayHoldTools(directory: string): boolean {
  return [...LEADS].some((name) => isThere(join(directory, name)));
}

/**
 * Whether the tools folder of a project could get a package by this name from the project, or the project itself. Every
 * ending counts: runtimes differ in which they try. Only a link to a package outside of the project does not count.
 */
function isInstalled(specifier: string, root: string): boolean {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const folder = join(root, "node_modules", dirname(name));
  const base = basename(name).toLowerCase();
  const isPackage = (entry: string): boolean => entry === base || entry.startsWith(`${base}.`);
  return (
    entriesOf(folder).some(
      (entry) => isPackage(entry.name.toLowerCase()) && !leadsOutTo(join(folder, entry.name), root),
    ) || isNamed(name, root)
  );
}

/** Reads the text, not the value: where a name is given twice, runtimes differ in which they take. */
function isNamed(name: string, root: string): boolean {
  const text = (readText(join(root, "package.json"), root) ?? "").replace(
    /\\(?:u([\da-f]{4})|(.))/gi,
    (_, code: string | undefined, char: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : char),
  );
  return new RegExp(`"name"\\s*:\\s*"${name}"`).test(text);
}

/** Whether the code that asks lies in the project: its user has run a package of the project already. */
function runsFrom(root: string): boolean {
  const file = fileURLToPath(import.meta.url);
  return isInside(root, realPath(file) ?? file);
}

/** A link that leads nowhere is there, too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Links are not followed: what they lead to is in the project and looked into anyway, or belongs to another project. */
function foldersIn(directory: string): string[] {
  return entriesOf(directory)
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
    .map(({ name }) => join(directory, name));
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
