import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a file at a path without links, and returns its descriptor. Undefined when it is unreadable, not a file, or
 * elsewhere because a folder was replaced by a link.
 */
export function openInside(folder: string, path: string): number | undefined {
  const file = join(folder, path);
  try {
    if (!lstatSync(file).isFile()) return undefined;
    const descriptor = openSync(file, FLAGS);
    if (isAtPath(descriptor, file)) return descriptor;
    closeQuietly(descriptor);
  } catch {
    // It does not exist, or may not be read.
  }
  return undefined;
}

/** Whether a file exists at a path without links, even if it may not be read. */
export function existsWithoutLinks(file: string): boolean {
  try {
    if (process.platform !== "linux") return realpathSync.native(file) === file;
    const descriptor = openSync(file, O_PATH | constants.O_NOFOLLOW);
    const isThere = isAtPath(descriptor, file);
    closeQuietly(descriptor);
    return isThere;
  } catch {
    return false;
  }
}

/** O_PATH of Linux, for which Node has no constant. */
const O_PATH = 0o10000000;

/**
 * Calls `read` with a path to the folder at a path without links. Throws when it was replaced. On Linux the path stays
 * valid if the folder is renamed; elsewhere the folder is checked again afterwards.
 */
export function readFrom<T>(folder: string, read: (path: string) => T): T {
  if (process.platform !== "linux" || !existsSync("/proc/self/fd")) {
    const found = read(folder);
    if (realpathSync.native(folder) === folder) return found;
    throw new Error(`${folder} has become a link.`);
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (isAtPath(descriptor, folder)) return read(`/proc/self/fd/${descriptor}`);
    throw new Error(`${folder} has become a link.`);
  } finally {
    closeQuietly(descriptor);
  }
}

export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // The system releases the descriptor in any case.
  }
}

/** Linux reports the path of a descriptor. Elsewhere, the same file must be at the path. */
function isAtPath(descriptor: number, file: string): boolean {
  const actual = attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`));
  if (actual !== undefined) return actual === file;
  if (attempt(() => realpathSync.native(file)) !== file) return false;
  const [opened, there] = [fstatSync(descriptor, { bigint: true }), lstatSync(file, { bigint: true })];
  return opened.ino === there.ino && opened.dev === there.dev;
}

function attempt(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
