import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nearest } from "../text/nearest.ts";
import { isInside } from "./inside.ts";

const MAX_SIMILAR = 3;
const MAX_NAMES = 5_000;
const SKIPPED = new Set([".git", "node_modules"]);

/** Paths in the same folder of the project whose names differ only in lookalike characters. */
export async function lookalikeFiles(path: string, root: string): Promise<string[]> {
  const wanted = foldLookalikes(basename(path));
  const names = await namesIn(dirname(path), root);
  return names.filter((name) => foldLookalikes(name) === wanted).map((name) => join(dirname(path), name));
}

/** Existing paths in the project that resemble a missing one, best first. */
export async function similarFiles(path: string, root: string): Promise<string[]> {
  const folder = dirname(path);
  const names = (await namesIn(folder, root)).filter((name) => name !== basename(path));
  const here = [...sameStem(basename(path), names), ...nearest(basename(path), names)];
  const beside = [...new Set(here)].map((name) => join(folder, name));
  const elsewhere = beside.length < MAX_SIMILAR ? await sameName(basename(path), root) : [];
  return [...new Set([...beside, ...elsewhere])].slice(0, MAX_SIMILAR);
}

/** Replaces characters that a model cannot tell apart: Unicode normal forms, kinds of spaces and quotes. */
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

/** No names for folders outside the project. */
async function namesIn(folder: string, root: string): Promise<string[]> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !isInside(await realpath(root), real)) return [];
  return (await readdir(real).catch(() => [])).slice(0, MAX_NAMES);
}

/** Searches breadth first. Does not follow links. */
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
