import { chmodSync, constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { messageOf } from "../../core/error.ts";
import { SessionError } from "../../core/session-store.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { isCorrupt, isWrongSchema, storeError, toSessionError } from "./store-errors.ts";

/** An error of SQLite or of the file system, as the refusal of a store. Keeps a copy of a damaged database. */
export function storeFailure(error: unknown, file: string): SessionError {
  if (SessionError.is(error)) return error;
  return isCorrupt(error) ? corruptError(file, messageOf(error), error) : toSessionError(error, file);
}

/** As `storeFailure`, for errors while the database is opened and its statements are prepared. */
export function openingFailure(error: unknown, file: string): SessionError {
  return isWrongSchema(error) ? corruptError(file, messageOf(error), error) : storeFailure(error, file);
}

/** Refuses a damaged database. A copy of it is kept beside it, one for all attempts to open it. */
export function corruptError(file: string, reason: string, cause?: unknown): SessionError {
  const kept = keepCopy(file);
  const copied = "copy" in kept ? `A copy is kept in ${kept.copy}` : `It could not be copied: ${kept.reason}`;
  return storeError(
    "store_corrupt",
    `The session database ${file} is damaged (${reason}). ${copied}`,
    `To begin with an empty one, delete ${file}.`,
    cause,
  );
}

/** Makes an existing file readable for the user only. */
export function makePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || process.platform === "win32" || (stats.mode & 0o077) === 0) return;
  tryOrUndefined(() => chmodSync(file, 0o600));
}

/** The name depends on the file, not on the time: the next attempts find the copy. */
function keepCopy(file: string): { copy: string } | { reason: string } {
  try {
    const { ino, birthtimeMs } = statSync(file);
    const copy = `${file}.broken-${Math.trunc(birthtimeMs).toString(36)}${ino.toString(36)}`;
    if (!existsSync(copy)) {
      const isWritten = (each: string): boolean => (statSync(each, { throwIfNoEntry: false })?.size ?? 0) > 0;
      for (const end of ["-wal", ""]) if (isWritten(file + end)) copyPrivately(file + end, copy + end);
    }
    return { copy };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/** A copy that is not complete must not be taken for one. */
function copyPrivately(file: string, copy: string): void {
  const partial = `${copy}.partial`;
  try {
    copyFileSync(file, partial, constants.COPYFILE_FICLONE);
    makePrivate(partial);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
