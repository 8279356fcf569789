import { statSync } from "node:fs";
import { tryOrUndefined } from "../values/try-or-undefined.ts";

/** Whether a path is a folder, or a link to one. Never throws. */
export function isFolder(path: string): boolean {
  return tryOrUndefined(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) === true;
}

/** Whether a path is a regular file, or a link to one. Never throws. */
export function isFile(path: string): boolean {
  return tryOrUndefined(() => statSync(path, { throwIfNoEntry: false })?.isFile()) === true;
}
