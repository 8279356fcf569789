import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { type IgnoreRules, readIgnoreRules, verdictOn } from "./ignore-files.ts";
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

/** The content of a folder, before rules are applied. */
interface Content {
  /** By name, without `.git`. */
  readonly entries: readonly Dirent[];
  /** The folder, with its own rules. */
  readonly folder: Folder;
}

/** Throws when it cannot be read. `from` is another path to the same folder, for reading. */
export function readContent({ path, prefix, rules }: Folder, from: string): Content {
  const entries = readdirSync(from, { withFileTypes: true });
  const own = readIgnoreRules(from, entries, prefix, rules);
  return {
    entries: entries.filter(({ name }) => name !== ".git").sort((a, b) => comparePaths(a.name, b.name)),
    folder: { path, prefix, rules: own },
  };
}

/** Undefined for an ignored entry. */
export function entryOf(entry: Dirent, { path, prefix, rules }: Folder): Entry | undefined {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  if (verdictOn(prefix + name, isFolder, rules) === "ignored") return undefined;
  if (!isFolder) return { name, kind: entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other" };
  return { name, kind: "folder", folder: { path: join(path, name), prefix: `${prefix}${name}/`, rules } };
}
