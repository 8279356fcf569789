import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ToolError } from "../../core/error.ts";
import { isMissing, unwritable } from "./file-problems.ts";
import type { Guard } from "./open-file.ts";
import { createPinnedFolder, type PinnedFolder } from "./pinned-folder.ts";

interface Replacement {
  /** The path to write to, without links. */
  readonly real: string;
  /** The name of the file in messages. */
  readonly displayName: string;
  readonly bytes: Uint8Array;
  /**
   * The file that is replaced, as it was last seen; undefined when there was none. The replacement fails if it has
   * changed.
   */
  readonly before: BigIntStats | undefined;
  readonly guard: Guard;
  readonly signal?: AbortSignal;
}

/**
 * Replaces or creates a file in one step: readers see either the old or the new content. Keeps mode and owner. Creates
 * missing folders, which stay when it fails. Does not call fsync, which would take longer than all
 * other steps: on some file systems, a power failure can lose the new content.
 */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { real, displayName, before, guard } = replacement;
  try {
    if (before) refuseReadOnly(before, displayName);
    const folder = await createPinnedFolder(dirname(real), guard);
    try {
      await replaceIn(folder, replacement);
    } finally {
      await folder.close();
    }
  } catch (error) {
    replacement.signal?.throwIfAborted();
    throw unwritable(displayName, error);
  }
}

async function replaceIn(folder: PinnedFolder, replacement: Replacement): Promise<void> {
  const { before, displayName, signal } = replacement;
  const target = folder.at(basename(replacement.real));
  if (before) await mustBeWritable(target, displayName);
  const temporary = folder.at(`.toolwright-${randomBytes(12).toString("hex")}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, before ? 0o600 : 0o666);
  try {
    await fill(handle, replacement);
    await folder.check();
    await mustBeAsBefore(target, before, displayName);
    signal?.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

const PIECE = 4 * 1024 * 1024;

async function fill(handle: FileHandle, { bytes, before, signal }: Replacement): Promise<void> {
  try {
    for (let start = 0; start < bytes.length; start += PIECE) {
      signal?.throwIfAborted();
      await handle.writeFile(bytes.subarray(start, start + PIECE));
    }
    if (before) await keepModeAndOwner(handle, before);
  } finally {
    await handle.close();
  }
}

/** Setuid and setgid bits are dropped when the former owner cannot be restored. */
async function keepModeAndOwner(handle: FileHandle, before: BigIntStats): Promise<void> {
  const { uid, gid } = await handle.stat({ bigint: true });
  const isSame = uid === before.uid && gid === before.gid;
  const isRestored = isSame || (await chown(handle, before));
  await handle.chmod(Number(before.mode) & (isRestored ? 0o7777 : 0o1777));
}

async function chown(handle: FileHandle, { uid, gid }: BigIntStats): Promise<boolean> {
  return handle.chown(Number(uid), Number(gid)).then(
    () => true,
    () => false,
  );
}

function refuseReadOnly({ mode }: BigIntStats, displayName: string): void {
  if (mode & 0o222n) return;
  const octal = (Number(mode) & 0o777).toString(8).padStart(3, "0");
  throw readOnly(displayName, ` (mode ${octal})`);
}

async function mustBeWritable(target: string, displayName: string): Promise<void> {
  await access(target, constants.W_OK).catch((error: unknown) => {
    if (!isMissing(error)) throw readOnly(displayName, "");
  });
}

function readOnly(displayName: string, mode: string): ToolError {
  return new ToolError(
    "failed",
    `"${displayName}" is read-only${mode}. Nothing was changed. Ask the user whether it may be made writable.`,
  );
}

async function mustBeAsBefore(target: string, before: BigIntStats | undefined, displayName: string): Promise<void> {
  const now = await lstat(target, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (isSameFile(now, before)) return;
  throw new ToolError(
    "failed",
    `"${displayName}" was changed by another program at the same time. Nothing was changed by this call. Read it again, then try again.`,
  );
}

/** Whether a file is unchanged between two calls of stat. */
function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (!one || !other) return one === other;
  const fields = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
  return fields.every((field) => one[field] === other[field]);
}
