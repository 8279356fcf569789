import type { GlobPattern } from "./glob-pattern.ts";
import { searchArgs } from "./grep-file.ts";
import type { LineQuery } from "./line-query.ts";
import { nameFlags } from "./list-files.ts";
import { countOf, type FileMatches, firstOf } from "./match.ts";
import { MatchReader } from "./match-reader.ts";
import { comparePaths } from "./path-order.ts";
import { type Ripgrep, runRipgrep } from "./ripgrep.ts";

/** What to search for, and in which files. */
export interface FolderQuery extends LineQuery {
  readonly include: GlobPattern | undefined;
}

/**
 * The first matches by path and line; fewer than `wanted` mean that there are no others. Searches on all cores first, in no
 * order. If that finds far more than is wanted, a second search in order, on one core, that stops early is cheaper.
 */
export async function grepFolder(
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

/** Stops once the files that are searched to their end have `most` matches. */
async function readMatches(
  ripgrep: Ripgrep,
  query: FolderQuery,
  flags: readonly string[],
  perFile: number,
  most: number,
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const { include } = query;
  const reader = new MatchReader(query.lineLength, ripgrep.prefix, (path) => include?.matches(path) ?? true);
  const args = [...flags, ...nameFlags(include?.name), ...searchArgs(query, perFile)];
  await runRipgrep(ripgrep, args, signal, (text) => {
    reader.push(text);
    return reader.count >= most;
  });
  return reader.files();
}
