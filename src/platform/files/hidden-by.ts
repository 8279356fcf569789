import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { tryOrUndefined } from "../values/try-or-undefined.ts";

/**
 * What hides a path that cannot be read, so that its content may still exist elsewhere: a broken link, or something else that
 * is in its place or in that of a folder above it. Undefined if the path does not exist, for example because it was deleted.
 */
export function hiddenBy(path: string): "link" | "other" | undefined {
  try {
    for (let at = path; ; at = dirname(at)) {
      const entry = lstatSync(at, { throwIfNoEntry: false });
      if (entry) return hides(at, entry.isSymbolicLink(), at === path);
      if (at === dirname(at)) return undefined;
    }
  } catch {
    return "other";
  }
}

function hides(at: string, isLink: boolean, isPath: boolean): ReturnType<typeof hiddenBy> {
  const target = tryOrUndefined(() => statSync(at, { throwIfNoEntry: false }));
  if (isLink && !target) return "link";
  return isPath || !target?.isDirectory() ? "other" : undefined;
}
