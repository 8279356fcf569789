import { existsSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryOrUndefined } from "../values/try-or-undefined.ts";
import { isInside } from "./inside.ts";

/** The path with all links resolved. Undefined when nothing is there, or when it cannot be reached. */
export function realPath(path: string): string | undefined {
  // Most paths that discovery tries do not exist, and an error costs many times the time of this check.
  if (!existsSync(path)) return undefined;
  return tryOrUndefined(() => realpathSync.native(path));
}

/** Linux follows at most 40 links before it fails with ELOOP. */
const MAX_LINKS = 40;

/**
 * The path with all links resolved, even if it does not exist yet: the existing part is resolved, and a broken link is
 * resolved to its target. Never throws: a cycle of links is resolved to one of them.
 */
export function resolveLinks(path: string, links = 0): string {
  const real = realPath(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(resolveLinks(parent, links), basename(path));
  const target = links < MAX_LINKS ? targetOf(here) : undefined;
  return target === undefined ? here : resolveLinks(resolve(dirname(here), target), links + 1);
}

/** The resolved path when links lead out of the folder, also to something that does not exist yet; else undefined. */
export function leadsOutTo(path: string, folder: string): string | undefined {
  const real = resolveLinks(path);
  return isInside(realPath(folder) ?? folder, real) ? undefined : real;
}

function targetOf(link: string): string | undefined {
  return tryOrUndefined(() => readlinkSync(link));
}
