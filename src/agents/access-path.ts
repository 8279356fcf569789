import { resolve } from "node:path";

/**
 * The absolute path of a file that an agent names. Undefined if it depends on the agent: some trim a path, and replace "~" with the
 * user's home folder.
 */
export function accessPath(path: string, directory: string): string | undefined {
  return path === "" || path.startsWith("~") || path !== path.trim() ? undefined : resolve(directory, path);
}
