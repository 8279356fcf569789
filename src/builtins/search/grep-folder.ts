import { BlockingFileError } from "../../files/blocking-file.ts";
import { type Breather, createBreather } from "./breather.ts";
import { confirmMatches } from "./confirm-matches.ts";
import { nameFlags } from "./each-file.ts";
import type { GlobPattern } from "./glob-pattern.ts";
import { countOf, type FileMatches, firstOf } from "./match.ts";
import { MatchReader } from "./match-reader.ts";
import { closeQuietly, openInside } from "./open-inside.ts";
import { comparePaths } from "./path-order.ts";
import { type Ripgrep, ripgrepFor, runRipgrep } from "./ripgrep.ts";
import { type Query, searchFile } from "./search-file.ts";
import { type Folder, filesBelow } from "./walk.ts";

/** What is searched for, and in which files. */
export interface FolderQuery extends Query {
  readonly include: GlobPattern | undefined;
}

/** A search of a folder. */
export interface FolderSearch {
  /** The first matches by path and line, at most as many as are wanted; fewer mean that there are no others. */
  first(wanted: number): Promise<FileMatches[]>;
  /** The same, as far as they really are in a file below the folder. To be called for what is shown. */
  confirm(file: FileMatches): Promise<FileMatches>;
}

/** Gets a search ready: with ripgrep where it can be used, else without it. */
export async function searchIn(folder: Folder, query: FolderQuery, signal: AbortSignal): Promise<FolderSearch> {
  const ripgrep = await ripgrepFor(folder);
  const breather = createBreather(signal);
  if (ripgrep) {
    return {
      first: (wanted) =>
        searchWith(ripgrep, query, wanted, signal).catch((error: unknown) => {
          if (error instanceof BlockingFileError) return searchAlone(folder, query, wanted, breather);
          throw error;
        }),
      confirm: (file) => confirmMatches(folder.path, file, query, breather),
    };
  }
  return { first: (wanted) => searchAlone(folder, query, wanted, breather), confirm: async (file) => file };
}

/**
 * On all cores first: what is found then comes in no order. Once that is far more than is wanted, it is cheaper to begin
 * again in order, on one core, and to stop early.
 */
async function searchWith(
  ripgrep: Ripgrep,
  query: FolderQuery,
  wanted: number,
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const most = wanted * FAR_MORE;
  const unordered = await readMatches(ripgrep, query, [], wanted, most, signal);
  const files =
    countOf(unordered) < most
      ? unordered.sort((a, b) => comparePaths(a.path, b.path))
      : await readMatches(ripgrep, query, ["--sort=path"], wanted, wanted, signal);
  return firstOf(files, wanted);
}

const FAR_MORE = 50;

/** Matches as ripgrep prints them, until there are so many in files that are done. */
export async function readMatches(
  ripgrep: Ripgrep,
  { pattern, lineLength, include }: FolderQuery,
  flags: readonly string[],
  perFile: number,
  most: number,
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const reader = new MatchReader(lineLength, (path) => include?.matches(path) ?? true);
  const args = [
    ...SEARCH_FLAGS,
    ...flags,
    ...nameFlags(include?.name),
    // In bytes: a line that is longer than this is longer than what is shown of it, whatever it is made of.
    `--max-columns=${4 * lineLength}`,
    `--max-count=${perFile}`,
    `--regexp=${pattern.rust}`,
  ];
  await runRipgrep(ripgrep, args, signal, (text) => {
    reader.push(text);
    return reader.count >= most;
  });
  return reader.files();
}

const SEARCH_FLAGS = [
  "--case-sensitive",
  "--no-mmap",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--column",
  "--byte-offset",
  "--max-columns-preview",
] as const;

async function searchAlone(
  folder: Folder,
  query: FolderQuery,
  wanted: number,
  breather: Breather,
): Promise<FileMatches[]> {
  const found: FileMatches[] = [];
  for await (const path of filesBelow(folder, breather)) {
    if (query.include && !query.include.matches(path)) continue;
    const lines = await searchPath(folder.path, path, query, wanted, breather);
    if (lines.length > 0) found.push({ path, lines });
    if (lines.length > 0 && countOf(found) >= wanted) break;
  }
  return firstOf(found, wanted);
}

/** None in a file that is binary, or that cannot be read. */
async function searchPath(
  folder: string,
  path: string,
  query: Query,
  most: number,
  breather: Breather,
): Promise<FileMatches["lines"]> {
  const descriptor = openInside(folder, path);
  if (descriptor === undefined) return [];
  try {
    const lines = await searchFile(descriptor, query, most, breather);
    return lines === "binary" ? [] : lines;
  } finally {
    closeQuietly(descriptor);
  }
}
