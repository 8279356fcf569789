import { resolve } from "node:path";

/**
 * The absolute path of a file that an agent names. Undefined if it depends on the agent: some trim a path, replace "~" with the user's
 * home folder, or drop a leading "@".
 */
export function accessPath(path: string, directory: string): string | undefined {
  return path === "" || /^[~@]/.test(path) || path !== path.trim() ? undefined : resolve(directory, path);
}
