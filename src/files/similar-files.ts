import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nearest } from "../core/nearest.ts";
import { isInside } from "./inside.ts";

const MAX_SIMILAR = 3;
/** How many names are looked at for a file that may be elsewhere. */
const MAX_NAMES = 5_000;
const SKIPPED = new Set([".git", "node_modules"]);

/** The names in a folder of the project whose file differs only in characters that look alike. */
export async function lookalikeFiles(path: string, root: string): Promise<string[]> {
  const wanted = foldLookalikes(basename(path));
  const names = await namesIn(dirname(path), root);
  return names.filter((name) => foldLookalikes(name) === wanted).map((name) => join(dirname(path), name));
}

/** Others in the project that somebody who wrote this path, where no file is, may have meant, best first. */
export async function similarFiles(path: string, root: string): Promise<string[]> {
  const folder = dirname(path);
  const names = (await namesIn(folder, root)).filter((name) => name !== basename(path));
  const here = [...sameStem(basename(path), names), ...nearest(basename(path), names)];
  const beside = [...new Set(here)].map((name) => join(folder, name));
  const elsewhere = beside.length < MAX_SIMILAR ? await sameName(basename(path), root) : [];
  return [...new Set([...beside, ...elsewhere])].slice(0, MAX_SIMILAR);
}

/** Normal forms of Unicode, the spaces and the quotes that systems put into names: no model can tell them apart. */
function foldLookalikes(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"');
}

function sameStem(name: string, names: readonly string[]): string[] {
  const stem = basename(name, extname(name)).toLowerCase();
  return names.filter((other) => basename(other, extname(other)).toLowerCase() === stem);
}

/** Nothing is said of folders outside the project. */
async function namesIn(folder: string, root: string): Promise<string[]> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !isInside(await realpath(root), real)) return [];
  return (await readdir(real).catch(() => [])).slice(0, MAX_NAMES);
}

/** Breadth first: what is meant is seldom deep. Links are not followed. */
async function sameName(name: string, root: string): Promise<string[]> {
  const wanted = foldLookalikes(name).toLowerCase();
  const found: string[] = [];
  const folders = [root];
  let left = MAX_NAMES;
  for (const folder of folders) {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(join(folder, entry.name));
      if (entry.isFile() && foldLookalikes(entry.name).toLowerCase() === wanted) found.push(join(folder, entry.name));
    }
    left -= entries.length;
    if (left <= 0 || found.length >= MAX_SIMILAR) return found;
  }
  return found;
}
