import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { resolveLinks } from "../platform/files/real-path.ts";

/**
 * Replaces a file, which only the user can read (0600 in a 0700 folder). Readers see the old text or the new one, never a part.
 * A link is followed, not replaced, also one that leads to no file yet.
 */
export function writePrivateFile(file: string, text: string): void {
  makePrivateFolder(dirname(file));
  const target = resolveLinks(file);
  refuseSpecial(target);
  const temporary = `${target}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeDurably(temporary, text);
    renameSync(temporary, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Throws if a device, pipe or socket is at a path, or at the end of a link there: reading may block, and replacing would destroy it. */
export function refuseSpecial(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile() && !stats.isDirectory()) throw new Error("It is not a regular file.");
}

/** Creates a folder with mode 0700, or sets that mode on an existing one. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === "win32" || (statSync(folder).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, 0o700);
  } catch {
    // The folder has another owner. The files in it are private anyway.
  }
}

/** Stores the new name of a file on disk: without it, a loss of power can bring back the old file. Windows opens no folders. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, "r");
    fsyncSync(descriptor);
  } catch {
    // The folder may not be read, or its file system refuses this. The file is replaced.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
