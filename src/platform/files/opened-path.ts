import type { BigIntStats } from "node:fs";
import { type FileHandle, readlink, realpath, stat } from "node:fs/promises";

const DELETED = " (deleted)";

/**
 * The real path of an open file, which may have been replaced since `path` was resolved. Linux reports the path of a
 * descriptor. Elsewhere, the result is undefined unless the same file is still at `path`.
 */
export async function openedPath(handle: FileHandle, path: string, opened: BigIntStats): Promise<string | undefined> {
  const reported = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (reported === path || reported === `${path}${DELETED}`) return path;
  if (reported?.startsWith("/")) return reported.endsWith(DELETED) ? reported.slice(0, -DELETED.length) : reported;
  const now = await realpath(path).catch(() => undefined);
  const there = now === undefined ? undefined : await stat(now, { bigint: true }).catch(() => undefined);
  return there?.ino === opened.ino && there.dev === opened.dev ? now : undefined;
}
