import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { attempt } from "../core/attempt.ts";
import type { Problem } from "../core/problem.ts";
import { matchSegments } from "../core/wildcard.ts";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";
import { type Candidate, candidatesAt, indexOf } from "./candidates.ts";
import type { Named } from "./plugin-manifest.ts";

/** How deep `**` reaches into a package. */
const DEEPEST = 8;

/**
 * The tool files that a package's manifest names: files, folders (their index, else all that is in them) and patterns,
 * less those after "!". Nothing outside of the package, wherever its links point. Never throws.
 */
export function pluginFiles(folder: string, named: readonly Named[], problems: Problem[]): Candidate[] {
  const real = realPath(folder) ?? folder;
  const complain = (message: string): void => {
    problems.push({ file: join(folder, "package.json"), code: "plugin_failed", message });
  };
  const excluded = named.filter(({ path }) => path.startsWith("!")).map(({ path }) => segmentsOf(path.slice(1)));
  const isExcluded = (file: string): boolean =>
    excluded.some((pattern) => matchSegments(pattern, segmentsOf(file.slice(folder.length + 1))));
  return named
    .filter(({ path }) => !path.startsWith("!"))
    .flatMap((each) => filesOf(each, folder, real, problems, complain))
    .filter(({ file }) => !isExcluded(file));
}

function filesOf(
  { field, path }: Named,
  folder: string,
  realFolder: string,
  problems: Problem[],
  complain: (message: string) => void,
): Candidate[] {
  const named = `"${field}" names ${JSON.stringify(path)}`;
  const targets = isPattern(path) ? matching(folder, segmentsOf(path)) : [resolve(folder, path)];
  const outside = (): void => complain(`${named}, which leads out of the package. Name only what is inside of it.`);
  if (targets.some((target) => !isInside(folder, target))) {
    outside();
    return [];
  }
  const candidates = targets.flatMap((target) => filesAt(target, problems));
  const inside = candidates.filter(({ real }) => isInside(realFolder, real));
  if (inside.length < candidates.length) outside();
  else if (candidates.length === 0)
    complain(`${named}, and no tool file is there. Correct the path, or install the package again.`);
  return inside;
}

function filesAt(target: string, problems: Problem[]): Candidate[] {
  const real = realPath(target);
  if (real === undefined) return [];
  if (!isFolder(real)) return candidatesAt(target, problems);
  const index = attempt(() => indexOf(target, real));
  return index === undefined ? candidatesAt(target, problems) : [index];
}

function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

function segmentsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((segment) => segment !== "" && segment !== ".");
}

/** Everything in a package that fits a pattern; dot files and `node_modules` never do. */
function matching(folder: string, pattern: readonly string[]): string[] {
  const deepest = pattern.includes("**") ? DEEPEST : pattern.length;
  const found: string[] = [];
  const visit = (directory: string, segments: readonly string[]): void => {
    for (const entry of entriesOf(directory)) {
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

function entriesOf(directory: string): Dirent[] {
  return attempt(() => readdirSync(directory, { withFileTypes: true })) ?? [];
}

function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) ?? false;
}
