import { join, resolve } from "node:path";
import { escapePattern } from "../core/wildcard.ts";

/** Where the paths of rules start. */
export interface Starts {
  /** The project's folder, absolute: where relative ones start. */
  readonly root: string;
  /** The user's home folder: where those start that begin with `~`. */
  readonly home?: string;
}

/** The path that a rule without wildcards means. */
export function resolvePath(path: string, { root, home }: Starts): string {
  const isOfHome = home !== undefined && /^~(?:$|[\\/])/.test(path);
  return isOfHome ? join(home, path.slice(1)) : resolve(root, path);
}

/** The whole pattern that a rule with wildcards means. Those in the names of the folders themselves are none. */
export function resolvePattern(pattern: string, { root, home }: Starts): string {
  return resolvePath(pattern, {
    root: escapePattern(root),
    ...(home === undefined ? {} : { home: escapePattern(home) }),
  });
}
