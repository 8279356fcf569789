import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** As many links as a system follows before it takes them for a circle. */
const MOST_LINKS = 40;

/**
 * Where a path really leads. Of a path that does not exist yet, the part that does is resolved, and a link to nothing leads
 * where it points. Never throws: a circle of links leads to one of them.
 */
export function resolveLinks(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const here = join(resolveLinks(parent, links), basename(path));
    const target = links < MOST_LINKS ? targetOf(here) : undefined;
    return target === undefined ? here : resolveLinks(resolve(dirname(here), target), links + 1);
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
