import { join, resolve } from "node:path";
import { escapePattern } from "../../platform/text/wildcard.ts";

/** The base folders of paths in rules. */
export interface PathBases {
  /** The project's folder, absolute: the base of relative paths. */
  readonly root: string;
  /** The user's home folder, for paths that begin with `~`. */
  readonly home?: string;
}

/** The absolute path of a rule without wildcards. */
export function resolvePath(path: string, { root, home }: PathBases): string {
  const isOfHome = home !== undefined && /^~(?:$|[\\/])/.test(path);
  return isOfHome ? join(home, path.slice(1)) : resolve(root, path);
}

/** The absolute pattern of a rule with wildcards. Wildcard characters in the names of the base folders are escaped. */
export function resolvePattern(pattern: string, { root, home }: PathBases): string {
  return resolvePath(pattern, {
    root: escapePattern(root),
    ...(home === undefined ? {} : { home: escapePattern(home) }),
  });
}
