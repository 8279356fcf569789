import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Access } from "../core/tool.ts";

/**
 * What a call touches, with the real path of everything that is reached through a link beside the path as it was
 * said: a rule about either counts, and neither can hide the other.
 */
export function withRealTargets(access: readonly Access[], directory: string): readonly Access[] {
  return access.flatMap((each): Access[] => {
    if (each === "undeclared" || (each.kind !== "read" && each.kind !== "write")) return [each];
    const target = resolve(directory, each.target);
    const real = realOf(target);
    return real === target
      ? [{ ...each, target }]
      : [
          { ...each, target },
          { ...each, target: real },
        ];
  });
}

/** As many links as a system follows before it takes them for a circle. */
const MOST_LINKS = 40;

/** Of a path that does not exist yet, the part that does is resolved, and a link to nothing leads where it points. */
export function realOf(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const here = join(realOf(parent, links), basename(path));
    const target = links < MOST_LINKS ? linkTarget(here) : undefined;
    return target === undefined ? here : realOf(resolve(dirname(here), target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether there is a folder. Never throws. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
