import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Access } from "../core/tool.ts";

/**
 * What a call touches, with the real path of everything that is reached through a link beside the path as it was
 * said: a rule about either counts, and neither can hide the other.
 */
export function withRealTargets(access: readonly Access[]): readonly Access[] {
  return access.flatMap((each): Access[] => {
    if (each === "undeclared" || (each.kind !== "read" && each.kind !== "write")) return [each];
    const target = resolve(each.target);
    const real = realOf(target);
    return real === target
      ? [{ ...each, target }]
      : [
          { ...each, target },
          { ...each, target: real },
        ];
  });
}

/** Of a path that does not exist yet, the part that does is resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}
