import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "./error-code.ts";
import { makePrivateFolder } from "./private-file.ts";

const PATIENCE_MS = 10_000;
/** Far longer than any work under a lock: only a holder that is gone lets one grow this old. */
const STALE_MS = 30_000;

/** Runs `work` while no other process holds the lock of `file`. `work` is synchronous, so that a lock is held for milliseconds. */
export async function withLock<T>(file: string, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  makePrivateFolder(dirname(file));
  await acquire(lock);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<void> {
  const token = `${process.pid} ${Math.random().toString(36).slice(2)} ${hostname()}`;
  const givesUpAt = Date.now() + PATIENCE_MS;
  while (!create(lock, token)) {
    breakIfStale(lock);
    if (Date.now() > givesUpAt) {
      throw new Error(
        `Another process holds ${lock}. Try again; if no other toolwright command is running, delete that file.`,
      );
    }
    await sleep(5 + Math.random() * 20);
  }
}

function create(lock: string, token: string): boolean {
  try {
    writeFileSync(lock, token, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Moving it aside first means that of several who find it stale, one removes it, and nobody a lock made since. */
function breakIfStale(lock: string): void {
  const seen = staleToken(lock);
  if (seen === undefined) return;
  const aside = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, "utf8") !== seen) linkSync(aside, lock);
  } catch {
    // Somebody else was faster: the next round sees what there is now.
  } finally {
    rmSync(aside, { force: true });
  }
}

function staleToken(lock: string): string | undefined {
  try {
    const token = readFileSync(lock, "utf8");
    const age = Date.now() - statSync(lock).mtimeMs;
    return age > STALE_MS || holderIsGone(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

function holderIsGone(token: string): boolean {
  const [pid, , host] = token.split(" ");
  if (host !== hostname() || pid === undefined || !/^[1-9]\d*$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}
