import { linkSync, lstatSync, readFileSync, renameSync, rmdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, isDiskFull } from "../platform/files/error-code.ts";
import { type Liveness, livenessOf, machineID, ownIdentity } from "../platform/processes/process-identity.ts";
import { makePrivateFolder } from "./private-file.ts";

const TIMEOUT_MS = 10_000;
/** A lock that has not changed for this long is abandoned, if its holder cannot be checked. */
const UNCHANGED_MS = 2_000;
const MAX_TOKEN_LENGTH = 1_000;

/** Runs `work` while no other process holds the lock of `file`. `work` is synchronous, so that a lock is held for milliseconds. */
export async function withLock<T>(file: string, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  makePrivateFolder(dirname(file));
  const token = await acquire(lock);
  try {
    return work();
  } finally {
    // Another process may have taken the lock over: remove only our own.
    if (readLock(lock)?.text === token) rmSync(lock, { force: true });
  }
}

interface LockFile {
  readonly stats: Stats;
  /** Undefined if it is not a small, readable file. */
  readonly text: string | undefined;
}

/** In place of a start time that the system does not tell. */
const UNKNOWN = "-";

async function acquire(lock: string): Promise<string> {
  const { pid, machine, startTime = UNKNOWN } = ownIdentity();
  const token = `${pid} ${Math.random().toString(36).slice(2)} ${machine} ${startTime}`;
  const deadline = performance.now() + TIMEOUT_MS;
  let first: { seen: LockFile; at: number } | undefined;
  while (!create(lock, token)) {
    const seen = readLock(lock);
    if (seen && !(first && isSame(first.seen, seen))) first = { seen, at: performance.now() };
    if (seen && first && isAbandoned(seen, performance.now() - first.at)) remove(lock, seen);
    else if (performance.now() > deadline) {
      const [pid] = seen?.text?.split(" ", 1) ?? [];
      throw new Error(
        `Another process${pid ? ` (${pid})` : ""} holds ${lock}. Try again; if no other toolwright command is running, delete that file.`,
      );
    } else await sleep(5 + Math.random() * 20);
  }
  return token;
}

/** False if the lock exists. Removes a lock that could not be written completely. */
function create(lock: string, token: string): boolean {
  try {
    writeFileSync(lock, token, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST", "EISDIR")) return false;
    if (isDiskFull(error) || hasCode(error, "EIO")) rmSync(lock, { force: true });
    throw error;
  }
}

/** Undefined if there is no lock. Follows no links, and opens only small files. */
function readLock(lock: string): LockFile | undefined {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > MAX_TOKEN_LENGTH) return { stats, text: undefined };
  try {
    return { stats, text: readFileSync(lock, "utf8") };
  } catch {
    return { stats, text: undefined };
  }
}

function isSame(a: LockFile, b: LockFile): boolean {
  return a.text === b.text && a.stats.ino === b.stats.ino && a.stats.mtimeMs === b.stats.mtimeMs;
}

/** `unchangedMs` is measured by this process: the clocks of other machines may differ. */
function isAbandoned({ stats, text }: LockFile, unchangedMs: number): boolean {
  // Toolwright creates only files.
  if (!stats.isFile()) return true;
  const holder = holderOf(text ?? "");
  if (holder === "gone") return true;
  if (holder === "lives") return false;
  return unchangedMs > UNCHANGED_MS;
}

function holderOf(token: string): Liveness {
  const [pid, , host = "", startTime] = token.split(" ");
  if (!/^[1-9]\d*$/.test(pid ?? "")) return "unknown";
  const machine = host === hostname() ? machineID() : host;
  return livenessOf({ pid: Number(pid), machine, startTime: startTime === UNKNOWN ? undefined : startTime });
}

/** The lock is renamed first: of several processes that find it abandoned, one removes it, and none removes a newer lock. */
function remove(lock: string, seen: LockFile): void {
  if (seen.stats.isDirectory()) return removeFolder(lock);
  const aside = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(lock, aside);
    const moved = readLock(aside);
    if (moved && !isSame(moved, seen)) linkSync(aside, lock);
  } catch {
    // Another process removed it: the next attempt reads the lock again.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A folder that is not empty is left alone: its files may belong to the user. */
function removeFolder(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return;
    throw new Error(`${lock} is a folder, but must be a lock file. Move it elsewhere, then run this again.`);
  }
}
