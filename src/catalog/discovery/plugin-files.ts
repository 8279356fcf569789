import { join, resolve } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { entriesIn } from "../../platform/files/entries-in.ts";
import { isInside } from "../../platform/files/inside.ts";
import { isFolder } from "../../platform/files/is-folder.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { matchSegments } from "../../platform/text/wildcard.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { type Candidate, candidatesAt, type EntryOf, indexOf } from "./candidates.ts";
import type { NamedPath } from "./plugin-manifest.ts";

/** The number of levels that `**` matches. */
const MAX_DEPTH = 8;

/**
 * The tool files that the manifest of a package names: files, folders (their index file, else all their files) and patterns,
 * without those that a "!" excludes. Nothing outside the package, not even through links. `entryOf` replaces the search for
 * the index file of a folder. Never throws.
 */
export function pluginFiles(
  folder: string,
  named: readonly NamedPath[],
  problems: Problem[],
  entryOf: EntryOf = indexOf,
): Candidate[] {
  const real = realPath(folder) ?? folder;
  const report = (message: string): void => {
    problems.push({ file: join(folder, "package.json"), code: "plugin_failed", message });
  };
  const excluded = named.filter(({ path }) => path.startsWith("!")).map(({ path }) => segmentsOf(path.slice(1)));
  const isExcluded = (file: string): boolean =>
    excluded.some((pattern) => matchSegments(pattern, segmentsOf(file.slice(folder.length + 1))));
  return named
    .filter(({ path }) => !path.startsWith("!"))
    .flatMap((each) => filesOf(each, { folder, real, entryOf, problems, report }))
    .filter(({ file }) => !isExcluded(file));
}

interface Package {
  readonly folder: string;
  readonly real: string;
  readonly entryOf: EntryOf;
  readonly problems: Problem[];
  report(message: string): void;
}

function filesOf({ field, path }: NamedPath, { folder, real, entryOf, problems, report }: Package): Candidate[] {
  const named = `"${field}" names ${JSON.stringify(path)}`;
  const targets = isPattern(path) ? matching(folder, segmentsOf(path)) : [resolve(folder, path)];
  const outside = (): void => report(`${named}, which is outside the package. Name only files in the package.`);
  if (targets.some((target) => !isInside(folder, target))) {
    outside();
    return [];
  }
  const candidates = targets.flatMap((target) => filesAt(target, problems, entryOf));
  const inside = candidates.filter((each) => isInside(real, each.real));
  if (inside.length < candidates.length) outside();
  else if (candidates.length === 0)
    report(`${named}, but there is no tool file. Correct the path, or install the package again.`);
  return inside;
}

/** A file, the entries of a folder, else all files of the folder. Empty if nothing is there. */
export function filesAt(target: string, problems: Problem[], entryOf: EntryOf): Candidate[] {
  const real = realPath(target);
  if (real === undefined) return [];
  if (!isFolder(real)) return candidatesAt(target, problems);
  const entries = tryOrUndefined(() => entryOf(target, real));
  return entries === undefined ? candidatesAt(target, problems, entryOf) : [entries].flat();
}

function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** The segments of a path or pattern. */
export function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== "" && segment !== ".");
}

/** The paths in a package that match a pattern, except dot files and `node_modules`. */
function matching(folder: string, pattern: readonly string[]): string[] {
  const deepest = pattern.includes("**") ? MAX_DEPTH : pattern.length;
  const found: string[] = [];
  const visit = (directory: string, segments: readonly string[]): void => {
    for (const entry of entriesIn(directory)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(directory, entry.name);
      const at = [...segments, entry.name];
      if (matchSegments(pattern, at)) found.push(path);
      else if (entry.isDirectory() && at.length < deepest) visit(path, at);
    }
  };
  visit(folder, []);
  return found.sort();
}
