import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { type IgnoreRules, insideUnignored, readIgnoreRules, verdictOn } from "./ignore-files.ts";
import { comparePaths } from "./path-order.ts";

export interface Folder {
  readonly path: string;
  /** The folder's path from the topmost folder with rules: empty, or ending with `/`. */
  readonly prefix: string;
  /** The rules of the folders above it. */
  readonly rules: IgnoreRules | undefined;
}

/** An entry of a folder that is not ignored. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Set for a folder. */
  readonly folder?: Folder;
}

/**
 * The entries of a folder by name, without ignored ones and `.git`. Throws when it cannot be read. `from` is another
 * path to the same folder, for reading.
 */
export function entriesIn({ path, prefix, rules }: Folder, from: string = path): Entry[] {
  const entries = readdirSync(from, { withFileTypes: true });
  const own = readIgnoreRules(from, entries, prefix, rules);
  return entries
    .filter(({ name }) => name !== ".git")
    .sort((a, b) => comparePaths(a.name, b.name))
    .flatMap((entry) => shown(entry, { path, prefix, rules: own }));
}

function shown(entry: Dirent, { path, prefix, rules }: Folder): Entry[] {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  const verdict = verdictOn(prefix + name, isFolder, rules);
  if (verdict === "ignored") return [];
  if (!isFolder) return [{ name, kind: entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other" }];
  const inside = verdict === "unignored" ? insideUnignored(prefix + name, rules) : rules;
  return [{ name, kind: "folder", folder: { path: join(path, name), prefix: `${prefix}${name}/`, rules: inside } }];
}
