import { accessSync, closeSync, constants, existsSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { SessionError } from "../../core/session-store.ts";
import { hasCode } from "../../platform/files/error-code.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { makePrivateFolder } from "../../settings/private-file.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./session-schema.ts";
import { storeError } from "./store-errors.ts";
import { corruptError, makePrivate } from "./store-failure.ts";

/** The files that SQLite keeps beside a database. They get the mode of the database when SQLite creates them. */
const BESIDE = ["-wal", "-shm"];

/**
 * Creates a private database file (0600 in a 0700 folder) if it is missing, and makes an existing one private. Returns its
 * path with all links resolved. A file that is no session database, or a newer one, is refused and not changed.
 */
export function prepareDatabaseFile(path: string): string {
  makeFolder(dirname(path));
  const file = resolveLinks(path);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) createPrivateFile(file);
  else if (!stats.isFile()) throw notAFile(file, stats);
  else {
    checkHeader(file);
    for (const each of [file, ...BESIDE.map((end) => file + end)]) makePrivate(each);
  }
  return file;
}

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    // On a read-only file system, Node reports that the folder is missing.
    if (hasCode(error, "ENOENT")) accessSync(nearestExisting(folder), constants.W_OK);
    throw error;
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Refuses a database of a later version, which has not been changed. */
export function checkVersion(file: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw storeError(
    "store_newer",
    `The session database ${file} was written by a later version of Toolwright (its format is ${version}, this version knows ${SCHEMA_VERSION}). It was not changed`,
    "Update Toolwright, or set TOOLWRIGHT_HOME to another folder.",
  );
}

function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function notAFile(file: string, stats: Stats): SessionError {
  return storeError(
    "store_failed",
    `${file} is ${stats.isDirectory() ? "a folder" : "a special file"}, but must be the session database`,
    "Move it elsewhere, then try again.",
  );
}

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/** Reads the header of the file itself: SQLite would already create files beside it. An empty file is a new database. */
function checkHeader(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, "r");
  let size: number;
  try {
    size = readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  if (size === 0) return;
  if (size < HEADER_BYTES || header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw corruptError(file, "it does not begin like a SQLite database");
  }
  const id = header.readUInt32BE(68);
  const version = header.readUInt32BE(60);
  if (id === APPLICATION_ID) return checkVersion(file, version);
  // A process that was killed while it created the database leaves one page without tables.
  const pages = header.readUInt32BE(28);
  if (id === 0 && version === 0 && pages <= 1) return;
  throw corruptError(file, "it is a SQLite database of another program");
}
