import { existsSync } from "node:fs";
import { constants, type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../core/error.ts";
import type { Guard } from "./open-file.ts";
import { openedPath } from "./opened-path.ts";

/** A folder that stays the same one while it is used, even if its path is renamed or replaced. The caller closes it. */
export interface PinnedFolder {
  /** Its path with all links resolved. */
  readonly real: string;
  /** A path to this folder even after a rename, valid in this process and as the working directory of a child process. */
  readonly path: string;
  /** The path of an entry of this folder. */
  at(name: string): string;
  /** Throws when the path now leads to another folder. Does nothing on systems that can pin a folder. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Pins an existing folder. The pinned folder has passed the guard, even if something was replaced by a link meanwhile.
 * Rejects with the system error when there is none.
 */
export async function pinFolder(path: string, guard: Guard): Promise<PinnedFolder> {
  const real = await realpath(path);
  await guard(real);
  return openPinned(real, real, guard);
}

/** Pins the folder at a path without links. Creates it, and the folders above it, where they are missing. */
export async function createPinnedFolder(real: string, guard: Guard): Promise<PinnedFolder> {
  try {
    return await openPinned(real, real, guard);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT" || dirname(real) === real) throw error;
  }
  const parent = await createPinnedFolder(dirname(real), guard);
  try {
    const path = parent.at(basename(real));
    await mkdir(path).catch(ignoreExisting);
    await parent.check();
    return await openPinned(path, join(parent.real, basename(real)), guard);
  } finally {
    await parent.close();
  }
}

async function openPinned(path: string, real: string, guard: Guard): Promise<PinnedFolder> {
  if (!canPin()) return pinnedByPath(real);
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const opened = await openedPath(handle, real, await handle.stat({ bigint: true }));
    if (opened === undefined) throw movedError(real);
    if (opened !== real) await guard(opened);
    return pinned(handle, opened);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether paths can begin at a descriptor. */
function canPin(): boolean {
  return process.platform === "linux" && existsSync("/proc/self/fd");
}

function pinned(handle: FileHandle, real: string): PinnedFolder {
  const path = `/proc/self/fd/${handle.fd}`;
  return { real, path, at: (name) => `${path}/${name}`, check: async () => {}, close: () => handle.close() };
}

async function pinnedByPath(real: string): Promise<PinnedFolder> {
  const check = async (): Promise<void> => {
    if ((await realpath(real)) !== real) throw movedError(real);
  };
  await check();
  return { real, path: real, at: (name) => join(real, name), check, close: async () => {} };
}

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== "EEXIST") throw error;
}

function movedError(real: string): ToolError {
  return new ToolError("denied", `The folder ${real} was replaced by another one meanwhile. Try again.`);
}
