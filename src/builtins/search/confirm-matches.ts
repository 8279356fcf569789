import { readSync } from "node:fs";
import type { Breather } from "./breather.ts";
import type { FileMatches, LineMatch } from "./match.ts";
import { closeQuietly, openInside } from "./open-inside.ts";
import { type Query, searchFile } from "./search-file.ts";

/**
 * Looks whether what ripgrep has found is in the file that we open, which is surely below the folder: while it searched,
 * a folder may have been exchanged for a link. What cannot be compared, such as UTF-16, is searched for again.
 */
export async function confirmMatches(
  folder: string,
  { path, lines }: FileMatches,
  query: Query,
  breather: Breather,
): Promise<FileMatches> {
  const descriptor = openInside(folder, path);
  if (descriptor === undefined) return { path, lines: [] };
  try {
    if (lines.every((line) => stands(line, descriptor))) return { path, lines };
    const again = await searchFile(descriptor, query, lines.length, breather);
    return { path, lines: again === "binary" ? [] : again };
  } finally {
    closeQuietly(descriptor);
  }
}

function stands({ offset, text }: LineMatch, descriptor: number): boolean {
  if (offset === undefined) return false;
  const wanted = Buffer.from(text);
  const there = Buffer.allocUnsafe(wanted.length);
  return readSync(descriptor, there, 0, wanted.length, offset) === wanted.length && there.equals(wanted);
}
