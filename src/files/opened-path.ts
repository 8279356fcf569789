import type { BigIntStats } from "node:fs";
import { type FileHandle, readlink, realpath, stat } from "node:fs/promises";

const DELETED = " (deleted)";

/**
 * The real path of an open file, which may have been replaced since `path` was resolved. Linux tells the path of a
 * descriptor; elsewhere the same file must still be at the path. Undefined when that is not so.
 */
export async function openedPath(handle: FileHandle, path: string, opened: BigIntStats): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (told === path || told === `${path}${DELETED}`) return path;
  if (told?.startsWith("/")) return told.endsWith(DELETED) ? told.slice(0, -DELETED.length) : told;
  const now = await realpath(path).catch(() => undefined);
  const there = now === undefined ? undefined : await stat(now, { bigint: true }).catch(() => undefined);
  return there?.ino === opened.ino && there.dev === opened.dev ? now : undefined;
}
