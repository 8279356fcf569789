import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { ToolError } from "../core/error.ts";
import { isMissing, type NonFile, unreadable } from "./file-problems.ts";
import { openedPath } from "./opened-path.ts";

/** Says whether a real path may be touched: throws a `ToolError`, with words for a model, when not. */
export type Guard = (real: string) => void | Promise<void>;

/** A file that is open for reading. Whoever has it closes the handle. */
export interface OpenFile {
  readonly kind: "file";
  readonly handle: FileHandle;
  /** Its path with all links resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

/** What came of opening a path. */
export type Opening =
  | OpenFile
  | { readonly kind: "missing" }
  | { readonly kind: "not-a-file"; readonly what: NonFile; readonly real: string };

/**
 * Opens a file for reading. What is open in the end has passed the guard, also when folders were exchanged for links
 * meanwhile, and it is a file: a pipe or a device, which may act or wait when it is opened, is not touched.
 * `displayName` is what messages call the file.
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

/** A file that programs keep replacing may be another one each time it is looked at. */
const MAX_TRIES = 10;

/** Undefined when it cannot be told what is open, since something else is there by now. */
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

/** Undefined for a file. */
function nonFileKind(stats: BigIntStats): NonFile | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "pipe";
  return stats.isSocket() ? "socket" : "device";
}

function replacedError(displayName: string): ToolError {
  return new ToolError("denied", `"${displayName}" was exchanged for something else while it was opened. Try again.`);
}
