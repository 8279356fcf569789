import { createBreather } from "./breather.ts";
import { confirmMatches } from "./confirm-matches.ts";
import { readMatches } from "./grep-folder.ts";
import type { LineMatch } from "./match.ts";
import { closeQuietly, openInside } from "./open-inside.ts";
import { ripgrepFor } from "./ripgrep.ts";
import { type Query, searchFile } from "./search-file.ts";
import type { Folder } from "./walk.ts";

/**
 * The first lines of one file that match, at most so many. With ripgrep where it can be used: its time does not depend on
 * how a pattern is built, and ours does.
 */
export async function searchOne(
  folder: Folder,
  name: string,
  query: Query,
  most: number,
  signal: AbortSignal,
): Promise<readonly LineMatch[] | "binary" | "unreadable"> {
  const breather = createBreather(signal);
  const ripgrep = await ripgrepFor(folder);
  const descriptor = openInside(folder.path, name);
  if (descriptor === undefined) return "unreadable";
  try {
    if (!ripgrep) return await searchFile(descriptor, query, most, breather);
    const only = { ...ripgrep, flags: [...ripgrep.flags, "--no-ignore"], target: `./${name}` };
    const [found] = await readMatches(only, { ...query, include: undefined }, [], most, most, signal);
    if (found) return (await confirmMatches(folder.path, found, query, breather)).lines;
    // It may also be that it is no text.
    return await searchFile(descriptor, { ...query, pattern: NOTHING }, most, breather);
  } finally {
    closeQuietly(descriptor);
  }
}

const NOTHING = { rust: "", find: () => -1 };
