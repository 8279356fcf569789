import { existsSync } from "node:fs";
import { constants, type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../core/error.ts";
import type { Guard } from "./open-file.ts";
import { openedPath } from "./opened-path.ts";

/** A folder that stays the same one while it is used, whatever happens to its path. Whoever has it closes it. */
export interface HeldFolder {
  /** Its path with all links resolved. */
  readonly real: string;
  /** A path that leads to this very folder, in this process and as the working directory of one that it starts. */
  readonly path: string;
  /** A path of a name in this very folder. */
  at(name: string): string;
  /** Where the system cannot hold a folder: throws when it is no longer the one at its path. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Holds a folder that is there. What is held has passed the guard, also when something was exchanged for a link
 * meanwhile. Rejects with the system's error when there is none.
 */
export async function holdFolder(path: string, guard: Guard): Promise<HeldFolder> {
  const real = await realpath(path);
  await guard(real);
  return hold(real, real, guard);
}

/** Holds the folder at a real path, one that no part of is a link; makes it, and those above it, where they are missing. */
export async function makeFolder(real: string, guard: Guard): Promise<HeldFolder> {
  try {
    return await hold(real, real, guard);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT" || dirname(real) === real) throw error;
  }
  const parent = await makeFolder(dirname(real), guard);
  try {
    const path = parent.at(basename(real));
    await mkdir(path).catch(unlessThere);
    await parent.check();
    return await hold(path, join(parent.real, basename(real)), guard);
  } finally {
    await parent.close();
  }
}

async function hold(path: string, real: string, guard: Guard): Promise<HeldFolder> {
  if (!canHold()) return checked(real);
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const opened = await openedPath(handle, real, await handle.stat({ bigint: true }));
    if (opened === undefined) throw moved(real);
    if (opened !== real) await guard(opened);
    return held(handle, opened);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether a path can start from a descriptor. */
function canHold(): boolean {
  return process.platform === "linux" && existsSync("/proc/self/fd");
}

function held(handle: FileHandle, real: string): HeldFolder {
  const path = `/proc/self/fd/${handle.fd}`;
  return { real, path, at: (name) => `${path}/${name}`, check: async () => {}, close: () => handle.close() };
}

async function checked(real: string): Promise<HeldFolder> {
  const check = async (): Promise<void> => {
    if ((await realpath(real)) !== real) throw moved(real);
  };
  await check();
  return { real, path: real, at: (name) => join(real, name), check, close: async () => {} };
}

function unlessThere(error: unknown): void {
  if ((error as { code?: unknown }).code !== "EEXIST") throw error;
}

function moved(real: string): ToolError {
  return new ToolError("denied", `The folder ${real} was exchanged for another one meanwhile. Try again.`);
}
