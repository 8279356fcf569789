import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** As many links as a system follows before it takes them for a circle. */
const MOST_LINKS = 40;

/**
 * Where a path really leads. Of one that does not exist yet, the part that does is resolved, and a link to nothing leads
 * where it points. Rejects where the links go in a circle.
 */
export async function realPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || links >= MOST_LINKS) throw error;
    const here = join(await realPath(parent, links), basename(path));
    const target = await readlink(here).catch(() => undefined);
    return target === undefined ? here : realPath(resolve(dirname(here), target), links + 1);
  }
}
