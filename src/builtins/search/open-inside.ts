import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a file at a path below a folder, both without links, and gives its descriptor. Undefined when it cannot be read,
 * is not a file, or turns out to be elsewhere, since a folder on the way was exchanged for a link.
 */
export function openInside(folder: string, path: string): number | undefined {
  const file = join(folder, path);
  try {
    if (!lstatSync(file).isFile()) return undefined;
    const descriptor = openSync(file, FLAGS);
    if (isAtPath(descriptor, file)) return descriptor;
    closeQuietly(descriptor);
  } catch {
    // It is gone, or may not be read.
  }
  return undefined;
}

/** Whether a file really is at a path without links, also if it may not be read. */
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

/** Opens nothing but the path. Node has no name for it. */
const O_PATH = 0o10000000;

/**
 * Reads from a folder at a path without links, by a path that leads to this very folder whatever happens to its own. Throws
 * where something else has come to be there. Only Linux has such paths; elsewhere it is looked at once more afterwards.
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

/** Closes a descriptor that was only read from: there is nothing to lose. */
export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // The system lets go of it in any case.
  }
}

/** Linux says what is open; elsewhere it must be what is there. */
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
