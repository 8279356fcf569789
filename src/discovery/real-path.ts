import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

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
