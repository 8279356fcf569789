import { isAbsolute, relative, sep } from "node:path";

/** Whether an absolute path is the folder or below it. Compares strings: the caller resolves links. */
export function isInside(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return false;
  const route = relative(folder, path);
  return route !== ".." && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}
