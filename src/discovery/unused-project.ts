import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";

/** Directories that are looked into before the search is given up and the answer is no. */
const MOST_DIRECTORIES = 20_000;

/**
 * Whether a project holds no tool file anywhere, so that trusting it sets nothing free. `holdsTools` says it of one
 * directory. Ask before the first file is written.
 */
export function isUnusedProject(root: string, holdsTools: (directory: string) => boolean): boolean {
  if (holdsTools(root) || OVERRIDES.some((path) => existsSync(join(root, path)))) return false;
  // Outside a repository a folder further down is a project of its own.
  if (repositoryRoot(root) === undefined) return true;
  const waiting = [root];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    if (looked > MOST_DIRECTORIES) return false;
    const directory = waiting.pop() ?? "";
    if (directory !== root && existsSync(join(directory, ".git"))) continue;
    const entries = entriesOf(directory);
    if (directory !== root && entries.some(mayLeadToTools) && holdsTools(directory)) return false;
    const folders = entries.filter((entry) => entry.isDirectory());
    waiting.push(...folders.map(({ name }) => join(directory, name)));
  }
  return true;
}

/** What would come before our own packages in the imports of the first tool file. */
const OVERRIDES = ["package.json", "node_modules", "tools/package.json", "tools/node_modules"].map((path) =>
  join(".toolwright", path),
);

/** What names packages and MCP servers, beside the folders of tools. */
const MANIFESTS = ["package.json", ".mcp.json", "opencode.json", "opencode.jsonc"];

function mayLeadToTools(entry: Dirent): boolean {
  return entry.isDirectory() ? entry.name.startsWith(".") : MANIFESTS.includes(entry.name);
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).filter(
      ({ name }) => name !== "node_modules" && name !== ".git",
    );
  } catch {
    return [];
  }
}
