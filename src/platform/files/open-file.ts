import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { ToolError } from "../../core/error.ts";
import { isMissing, type NonFile, unreadable } from "./file-problems.ts";
import { openedPath } from "./opened-path.ts";

/** Throws a `ToolError` when a real path may not be accessed. */
export type Guard = (real: string) => void | Promise<void>;

/** A file that is open for reading. The caller closes the handle. */
export interface OpenFile {
  readonly kind: "file";
  readonly handle: FileHandle;
  /** Its path with all links resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

export type Opening =
  | OpenFile
  | { readonly kind: "missing" }
  | { readonly kind: "not-a-file"; readonly what: NonFile; readonly real: string };

/**
 * Opens a file for reading. The opened file has passed the guard, even if a folder was replaced by a link meanwhile.
 * Pipes and devices are not opened, since that may block or have side effects. Messages call the file `displayName`.
 */
export async function openToRead(path: string, displayName: string, guard: Guard): Promise<Opening> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const opening = await openOnce(path, guard);
      if (opening) return opening;
    }
    throw replacedError(displayName);
  } catch (error) {
    if (ToolError.is(error)) throw error;
    if (isMissing(error)) return { kind: "missing" };
    throw unreadable(displayName, error);
  }
}

/** Other programs may replace the file again at each attempt. */
const MAX_TRIES = 10;

/** Undefined when the path was replaced while it was opened. */
async function openOnce(path: string, guard: Guard): Promise<Opening | undefined> {
  const real = await realpath(path);
  await guard(real);
  const what = nonFileKind(await lstat(real, { bigint: true }));
  return what ? { kind: "not-a-file", what, real } : openReal(real, guard);
}

async function openReal(real: string, guard: Guard): Promise<Opening | undefined> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  let opening: Opening | undefined;
  try {
    opening = await identify(handle, real, guard);
    return opening;
  } finally {
    if (opening?.kind !== "file") await handle.close();
  }
}

async function identify(handle: FileHandle, path: string, guard: Guard): Promise<Opening | undefined> {
  const stats = await handle.stat({ bigint: true });
  const real = await openedPath(handle, path, stats);
  if (real === undefined) return undefined;
  if (real !== path) await guard(real);
  const what = nonFileKind(stats);
  return what ? { kind: "not-a-file", what, real } : { kind: "file", handle, real, stats };
}

function nonFileKind(stats: BigIntStats): NonFile | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "pipe";
  return stats.isSocket() ? "socket" : "device";
}

function replacedError(displayName: string): ToolError {
  return new ToolError("denied", `"${displayName}" was replaced while it was opened. Try again.`);
}
