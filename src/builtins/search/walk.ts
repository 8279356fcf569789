import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { type IgnoreRules, insideUnignored, readIgnoreRules, verdictOn } from "./ignore-files.ts";
import { comparePaths } from "./path-order.ts";

/** A folder that is looked through. */
export interface Folder {
  readonly path: string;
  /** Its path from where the ignore rules begin: empty, or ending with `/`. */
  readonly prefix: string;
  /** What the folders above it say. */
  readonly rules: IgnoreRules | undefined;
}

/** Something in a folder that is not ignored. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Set for a folder: itself, to be looked through. */
  readonly folder?: Folder;
}

/**
 * What is in a folder, in the order of names, without what is ignored and without `.git`. Throws where it cannot be read.
 * `from` is another path of the same folder, by which it is read.
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
