import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { EXTENSION_FILE } from "../../core/agent-extension.ts";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { hasCode } from "../../platform/files/error-code.ts";
import { INDEX_FILES } from "../../platform/files/index-files.ts";
import { realPath } from "../../platform/files/real-path.ts";

/** A file that may hold tools. */
export interface Candidate {
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  /** Its path with all links resolved. */
  readonly real: string;
}

const EXTENSION = /\.(?:[mc]?js|m?ts|json)$/;
const NOT_A_TOOL_FILE = /\.d\.[mc]?ts$|\.(?:test|spec)\./;
/** JSON files of other programs. Whether any other JSON file holds tools depends on its content. */
const NOT_A_TOOL_JSON = /^(?:package|package-lock|jsconfig|tsconfig(?:\..+)?)\.json$/;

/** The tool file of a subfolder, or several. May throw for a broken link. */
export type EntryOf = (folder: string, realFolder: string) => Candidate | Candidate[] | undefined;

/** The tool files of a folder, by name, or a single file. Opens none of them and never throws. */
export function candidatesAt(path: string, problems: Problem[], entryOf: EntryOf = indexOf): Candidate[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return singleFile(path, problems);
    problems.push(unreadable(path, `This folder cannot be read: ${messageOf(error)}. Check its permissions.`));
    return [];
  }
  const real = realPath(path) ?? path;
  const candidates: Candidate[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    try {
      const candidate = candidateOf(entry, path, real, entryOf);
      if (Array.isArray(candidate)) candidates.push(...candidate);
      else if (candidate !== undefined) candidates.push(candidate);
    } catch (error) {
      problems.push(brokenEntry(join(path, entry.name), error));
    }
  }
  return candidates.sort(byName);
}

/** All tool files in a subfolder and in its subfolders, with the names of the files. Links to folders are not followed. */
export function filesBelow(problems: Problem[]): EntryOf {
  const entryOf: EntryOf = (folder) =>
    lstatSync(folder).isSymbolicLink() ? [] : candidatesAt(folder, problems, entryOf);
  return entryOf;
}

/** The files with this name in the subfolders of a folder. Opens none of them and never throws. */
export function entriesAt(path: string, problems: Problem[], entryFile: string): Candidate[] {
  const entryOf: EntryOf = (folder, realFolder) => indexOf(folder, realFolder, [entryFile]);
  return candidatesAt(path, problems, entryOf).filter(
    ({ file }) => basename(file) === entryFile && dirname(file) !== path,
  );
}

/**
 * Throws for a broken link or an unreadable folder. It runs for every file, so it makes no system call for a plain file, and
 * concatenates paths: `join` took more than half of the time.
 */
function candidateOf(entry: Dirent, folder: string, realFolder: string, entryOf: EntryOf): ReturnType<EntryOf> {
  const file = `${folder}${sep}${entry.name}`;
  const real = `${realFolder}${sep}${entry.name}`;
  if (entry.isFile()) return isToolFile(entry.name) ? named(entry.name, file, real) : undefined;
  if (entry.isDirectory()) return entryOf(file, real);
  if (!isToolFile(entry.name) && entry.name.includes(".")) return undefined;
  const target = statSync(file);
  if (target.isDirectory()) return entryOf(file, realPath(file) ?? file);
  return target.isFile() && isToolFile(entry.name) ? named(entry.name, file, realPath(file) ?? file) : undefined;
}

/** The index file of a folder, if it has one. Throws for a broken link. */
export function indexOf(
  folder: string,
  realFolder: string,
  names: readonly string[] = INDEX_FILES,
): Candidate | undefined {
  for (const name of names) {
    const file = `${folder}${sep}${name}`;
    const entry = lstatSync(file, { throwIfNoEntry: false });
    if (entry === undefined) continue;
    const isLink = entry.isSymbolicLink();
    if (!(isLink ? statSync(file) : entry).isFile()) continue;
    return {
      file,
      name: basename(folder),
      real: (isLink ? realPath(file) : undefined) ?? `${realFolder}${sep}${name}`,
    };
  }
  return undefined;
}

/** A file named directly is accepted even if a scan of its folder would skip it, provided it can be loaded. */
function singleFile(file: string, problems: Problem[]): Candidate[] {
  const name = basename(file);
  if (INDEX_FILES.includes(name)) return [{ file, name: basename(dirname(file)), real: realPath(file) ?? file }];
  if (EXTENSION.test(name) && !/\.d\.[mc]?ts$/.test(name)) return [named(name, file, realPath(file) ?? file)];
  const message = "This is not a tool file. Name a folder, or a file that ends in .ts, .mts, .js, .mjs, .cjs or .json.";
  problems.push({ file, code: "not_a_tool", message });
  return [];
}

/** Whether a file of this name may hold tools. */
export function isToolFile(name: string): boolean {
  return EXTENSION.test(name) && !NOT_A_TOOL_FILE.test(name) && !NOT_A_TOOL_JSON.test(name) && name !== EXTENSION_FILE;
}

function named(entry: string, file: string, real: string): Candidate {
  return { file, name: entry.slice(0, entry.lastIndexOf(".")), real };
}

/** By code unit: the order is the same in every locale. */
function byName(a: Candidate, b: Candidate): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.file < b.file ? -1 : 1;
}

function brokenEntry(file: string, error: unknown): Problem {
  if (hasCode(error, "ENOENT")) return unreadable(file, "This link points to nothing. Correct it, or delete it.");
  if (hasCode(error, "ELOOP")) return unreadable(file, "This link leads back to itself. Correct it, or delete it.");
  return unreadable(file, `This cannot be read: ${messageOf(error)}. Check its permissions.`);
}

function unreadable(file: string, message: string): Problem {
  return { file, code: "unreadable", message };
}
