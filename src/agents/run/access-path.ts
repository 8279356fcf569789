import { resolve, sep } from "node:path";
import type { Access } from "../../core/tool.ts";

/** Paths that agents understand differently: with URIs, variables, quotes, positions in a file, and spaces other than the usual one. */
const UNCERTAIN =
  /^$|^[~@$%"'`]|["'`]$|^[a-z][\w+.-]+:|:\d+(?::\d+)?$|#L?\d+(?:-L?\d+)?$|^\s|\s$|[^\S ]|[\p{Cc}\p{Cf}]/iu;

/**
 * The absolute path of a file that an agent names. Undefined if it depends on the agent: some trim a path, replace "~" with the user's
 * home folder, drop a leading "@", or remove backslashes.
 */
export function accessPath(path: string, directory: string): string | undefined {
  const isCertain = !UNCERTAIN.test(path) && (sep === "\\" || !path.includes("\\"));
  return isCertain ? resolve(directory, path) : undefined;
}

/** Access to files that an agent names. It is undeclared if there are none, or if it is not certain which files they are. */
export function pathAccess(kind: "read" | "write", paths: readonly string[], directory: string): readonly Access[] {
  const access = paths.map((path): Access => {
    const target = accessPath(path, directory);
    return target === undefined ? "undeclared" : { kind, target };
  });
  return access.length === 0 ? ["undeclared"] : allAccess(access);
}

/** Each access once. It is undeclared if a part of it is. */
export function allAccess(access: readonly Access[]): readonly Access[] {
  if (access.includes("undeclared")) return ["undeclared"];
  return [...new Map(access.map((each) => [JSON.stringify(each), each])).values()];
}
