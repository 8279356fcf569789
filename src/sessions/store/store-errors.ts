import { messageOf } from "../../core/error.ts";
import { SessionError, type SessionErrorCode } from "../../core/session-store.ts";
import { hasCode, isDiskFull } from "../../platform/files/error-code.ts";
import { sqliteCode } from "./sqlite-driver.ts";

/** Ends every message about the database. */
const WITHOUT_SESSIONS = "Tools without a session still work.";

/** A lock that another process holds for longer than this is an error. */
export const BUSY_MS = 10_000;

// Result codes of SQLite: https://sqlite.org/rescode.html
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** The shared memory file could not be extended or mapped: a full disk, in practice. */
const NO_SHARED_MEMORY = new Set([IOERR | (19 << 8), IOERR | (21 << 8)]);

/** Whether another connection holds the lock: the same statement may succeed later. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether the content of the file is damaged, or is not a database. Rows that are not JSON are damaged too. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === CORRUPT || code === NOTADB || error instanceof SyntaxError;
}

/** Whether a statement does not fit the tables: when the database is opened, this means that tables are missing. */
export function isWrongSchema(error: unknown): boolean {
  return primaryCode(error) === ERROR;
}

/** An error of SQLite or of the file system, as the refusal of a store. */
export function toSessionError(error: unknown, file: string): SessionError {
  const code = codeOf(error);
  return storeError(code, `${TEXTS[code](file)} (${messageOf(error)})`, ADVICE[code], error);
}

export function busyError(file: string): SessionError {
  return storeError("store_busy", TEXTS.store_busy(file), ADVICE.store_busy);
}

/** `says` is a sentence without its full stop. */
export function storeError(code: SessionErrorCode, says: string, advice: string, cause?: unknown): SessionError {
  return new SessionError(code, `${says}. ${advice} ${WITHOUT_SESSIONS}`, cause === undefined ? {} : { cause });
}

type Failure = "store_busy" | "store_full" | "store_read_only" | "store_failed";

const TEXTS: Readonly<Record<Failure, (file: string) => string>> = {
  store_busy: (file) =>
    `The session database ${file} has been locked by another process for more than ${BUSY_MS / 1000} seconds`,
  store_full: (file) => `There is no space left on the disk of the session database ${file}. Nothing was stored`,
  store_read_only: (file) => `The session database ${file} cannot be written`,
  store_failed: (file) => `The session database ${file} cannot be used`,
};

const ADVICE: Readonly<Record<Failure, string>> = {
  store_busy: "Try again. If that does not help, end a toolwright process that is stopped or hangs.",
  store_full: "Free some space, then try again.",
  store_read_only: "Make the file and its folder writable, or set TOOLWRIGHT_HOME to a folder that is.",
  store_failed: "Check the file and its folder, or set TOOLWRIGHT_HOME to another folder.",
};

function codeOf(error: unknown): Failure {
  if (isDiskFull(error)) return "store_full";
  if (hasCode(error, "EACCES", "EPERM", "EROFS")) return "store_read_only";
  if (isBusy(error)) return "store_busy";
  const code = primaryCode(error);
  if (code === FULL || NO_SHARED_MEMORY.has(sqliteCode(error) ?? 0)) return "store_full";
  return code === READONLY || code === CANTOPEN ? "store_read_only" : "store_failed";
}

/** The low byte of an extended result code is the primary one. */
function primaryCode(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}
