import type { GlobPattern } from "./glob-pattern.ts";
import { searchArgs } from "./grep-file.ts";
import type { LineQuery } from "./line-query.ts";
import { nameFlags } from "./list-files.ts";
import { countOf, type FileMatches, firstOf } from "./match.ts";
import { MatchReader } from "./match-reader.ts";
import { comparePaths } from "./path-order.ts";
import { type Ripgrep, runRipgrep } from "./ripgrep.ts";

/** A search in the files of a folder. */
export interface FolderQuery extends LineQuery {
  readonly include: GlobPattern | undefined;
}

/**
 * The first `wanted` matches by path and line, or all if there are fewer. Searches on all cores first, in no order. If that
 * finds FAR_MORE times as many, a second search on one core, in path order, is cheaper: it stops early.
 */
export async function grepFolder(
  ripgrep: Ripgrep,
  query: FolderQuery,
  wanted: number,
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const limit = wanted * FAR_MORE;
  const unordered = await readMatches(ripgrep, query, { flags: [], perFile: wanted, limit }, signal);
  const files =
    countOf(unordered) < limit
      ? unordered.sort((a, b) => comparePaths(a.path, b.path))
      : await readMatches(ripgrep, query, { flags: ["--sort=path"], perFile: wanted, limit: wanted }, signal);
  return firstOf(files, wanted);
}

const FAR_MORE = 50;

/** Stops when the completely searched files have `limit` matches. */
async function readMatches(
  ripgrep: Ripgrep,
  query: FolderQuery,
  { flags, perFile, limit }: { readonly flags: readonly string[]; readonly perFile: number; readonly limit: number },
  signal: AbortSignal,
): Promise<FileMatches[]> {
  const { include } = query;
  const reader = new MatchReader(query.lineLength, ripgrep.prefix, (path) => include?.matches(path) ?? true);
  const args = [...flags, ...nameFlags(include?.name), ...searchArgs(query, perFile)];
  await runRipgrep(ripgrep, args, signal, (text) => {
    reader.push(text);
    return reader.count >= limit;
  });
  return reader.files();
}
