import { resolve } from "node:path";
import type { Access } from "../core/tool.ts";

/**
 * The absolute path of a file that an agent names. Undefined if it depends on the agent: some trim a path, replace "~" with the user's
 * home folder, or drop a leading "@".
 */
export function accessPath(path: string, directory: string): string | undefined {
  return path === "" || /^[~@]/.test(path) || path !== path.trim() ? undefined : resolve(directory, path);
}

/** Access to files that an agent names. It is undeclared if there are none, or if it is not certain which files they are. */
export function pathAccess(kind: "read" | "write", paths: readonly string[], directory: string): readonly Access[] {
  const access = paths.map((path): Access => {
    const target = accessPath(path, directory);
    return target === undefined ? "undeclared" : { kind, target };
  });
  return access.length === 0 || access.includes("undeclared") ? ["undeclared"] : access;
}
