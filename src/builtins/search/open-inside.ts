import { close, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
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
    if (isStill(descriptor, file)) return descriptor;
    closeQuietly(descriptor);
  } catch {
    // It is gone, or may not be read.
  }
  return undefined;
}

/** Closes a descriptor that was only read from: there is nothing to lose. */
export function closeQuietly(descriptor: number): void {
  close(descriptor, () => {});
}

/** Linux says what is open; elsewhere it must be what is there. */
function isStill(descriptor: number, file: string): boolean {
  const told = tell(() => readlinkSync(`/proc/self/fd/${descriptor}`));
  if (told !== undefined) return told === file;
  if (tell(() => realpathSync.native(file)) !== file) return false;
  const [opened, there] = [fstatSync(descriptor, { bigint: true }), lstatSync(file, { bigint: true })];
  return opened.ino === there.ino && opened.dev === there.dev;
}

function tell(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
