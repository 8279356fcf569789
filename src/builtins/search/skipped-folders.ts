import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../index.ts";
import { readIgnoreRules, verdictOn } from "./ignore-files.ts";
import type { Start } from "./search-start.ts";
import { areVisible } from "./visible-paths.ts";
import type { Folder } from "./walk.ts";

/** Installed packages. They are searched only if a call names this folder: in its path or in a glob. */
export const PACKAGES = "node_modules";

/** Whether paths or globs name the folder of packages. */
export function namePackages(...paths: readonly string[]): boolean {
  return paths.some((path) => path.split(/[\\/{},]/).includes(PACKAGES));
}

/**
 * Splits a glob after the folder of packages, if the path to it has no wildcards and exists in `folder`: the search then
 * begins there, even if the folder is ignored.
 */
export function splitAtPackages(
  glob: string,
  folder: string,
): { readonly path: string; readonly rest: string } | undefined {
  const [, path = "", rest = ""] = /^(?:\.?\/)*((?:[^*?[\]{}\\/]+\/)*?node_modules)\/(.+)$/.exec(glob) ?? [];
  const stats = path === "" ? undefined : statSync(join(folder, path), { throwIfNoEntry: false });
  return stats?.isDirectory() ? { path, rest: `./${rest}` } : undefined;
}

/** The folders that a search has skipped at its start, other than ignored ones, for a note. */
export async function skippedAt(start: Start, folder: Folder, context: ToolContext): Promise<string[]> {
  const names = [".git", PACKAGES].filter((name) => isFolder(join(start.real, name)));
  const [isShown] = names.includes(PACKAGES) ? await areVisible([PACKAGES], start, context) : [];
  return names.filter((name) => name !== PACKAGES || (isShown && !isIgnored(folder)));
}

/** A note about skipped folders: `.git` only if nothing was found, since every repository has one. */
export function skippedNote(skipped: readonly string[], isEmpty: boolean, fields: string): string {
  const named = isEmpty ? skipped : skipped.filter((name) => name === PACKAGES);
  if (named.length === 0) return "";
  const next = named.includes(PACKAGES) ? ` To search ${PACKAGES}, name it in ${fields}.` : "";
  return `\n\n(Not searched: ${named.join(", ")}.${next})`;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isIgnored({ path, prefix, rules }: Folder): boolean {
  try {
    const own = readIgnoreRules(path, readdirSync(path, { withFileTypes: true }), prefix, rules);
    return verdictOn(prefix + PACKAGES, true, own) === "ignored";
  } catch {
    return false;
  }
}
