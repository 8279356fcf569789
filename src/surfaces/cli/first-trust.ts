import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../discovery/repository.ts";
import { trustProject } from "../../discovery/trust.ts";
import type { Invocation } from "./command.ts";
import { type Survey, survey } from "./survey.ts";

/** How a project stands after its user has begun to write tools in it. */
export type FirstTrust = "already" | "given" | "withheld";

/** Directories that are looked into before the search is given up, and the project is not trusted by itself. */
const MOST_DIRECTORIES = 20_000;

/**
 * Whether an untrusted project is empty of anything that trust would set free: tool files anywhere in it, or settings that only
 * count once it is trusted. Ask before the first file is written.
 */
export function isUnused(invocation: Invocation, { discovered, loaded }: Survey): boolean {
  const asStored = { ...invocation, globals: { ...invocation.globals, trust: false } };
  const { root } = discovered.project;
  if (discovered.blocked.length > 0 || loaded.ignored.length > 0) return false;
  // Outside a repository a folder further down is a project of its own.
  if (repositoryRoot(root) === undefined) return true;
  const waiting = [root];
  for (let looked = 0; waiting.length > 0; looked += 1) {
    if (looked > MOST_DIRECTORIES) return false;
    const directory = waiting.pop() ?? "";
    if (directory !== root && existsSync(join(directory, ".git"))) continue;
    const folders = foldersIn(directory);
    const mayHold = folders.some((name) => name.startsWith("."));
    if (mayHold && survey(asStored, directory).discovered.blocked.length > 0) return false;
    waiting.push(...folders.filter((name) => !name.startsWith(".")).map((name) => join(directory, name)));
  }
  return true;
}

/** Trusts a project that held nothing before its user wrote the first file; leaves any other as it is. */
export async function trustIfUnused({ homes, discovered }: Survey, wasUnused: boolean): Promise<FirstTrust> {
  const { root, trusted } = discovered.project;
  if (trusted) return "already";
  if (!wasUnused) return "withheld";
  await trustProject(root, homes.toolwrightHome);
  return "given";
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
