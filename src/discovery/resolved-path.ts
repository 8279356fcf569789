import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { resolveLinks } from "../files/resolve-links.ts";

/** The path with all links resolved; undefined when there is nothing, or nothing that can be reached. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or below it. Compares whole names: `/data` does not hold `/data-secret`. Give it real paths. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where a path leads that links take out of a folder, also to something that is not there yet; undefined where it stays inside. */
export function leadsOutTo(path: string, folder: string): string | undefined {
  const real = resolveLinks(path);
  return isWithin(real, realPath(folder) ?? folder) ? undefined : real;
}
