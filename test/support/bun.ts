import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../e2e/bun", import.meta.url));
const LOCK = join(FOLDER, ".installing");
const PATIENCE_MS = 180_000;

/** The folder to put on PATH. */
export const BUN_FOLDER: string = join(FOLDER, "node_modules/.bin");
export const BUN: string = join(BUN_FOLDER, "bun");

/** Installs Bun when the first test comes to it; without it the reason is said and counted. */
export async function installBun(): Promise<string | undefined> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!existsSync(BUN) || existsSync(LOCK)) {
    if (takeLock()) return install();
    if (performance.now() > deadline) return `another installation of Bun does not end: remove ${LOCK}`;
    await sleep(100);
  }
  return undefined;
}

/** Test files run side by side, and one installation at a time is enough. */
function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

function install(): string | undefined {
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FOLDER, stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `Bun could not be installed: ${error}`;
  } finally {
    rmdirSync(LOCK);
  }
}
