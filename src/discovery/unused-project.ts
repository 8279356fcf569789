import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";

/** Directories that are looked into before the search is given up and the answer is no. */
const MOST_DIRECTORIES = 20_000;

/**
 * Whether a project holds no tool file anywhere, so that trusting it sets nothing free. `holdsTools` says it of one
 * directory. Ask before the first file is written.
 */
export function isUnusedProject(root: string, holdsTools: (directory: string) => boolean): boolean {
  if (holdsTools(root)) return false;
  // Outside a repository a folder further down is a project of its own.
  if (repositoryRoot(root) === undefined) return true;
  const waiting = [root];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    if (looked > MOST_DIRECTORIES) return false;
    const directory = waiting.pop() ?? "";
    if (directory !== root && existsSync(join(directory, ".git"))) continue;
    const folders = foldersIn(directory);
    if (folders.some((name) => name.startsWith(".")) && holdsTools(directory)) return false;
    waiting.push(...folders.filter((name) => !name.startsWith(".")).map((name) => join(directory, name)));
  }
  return true;
}

function foldersIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
