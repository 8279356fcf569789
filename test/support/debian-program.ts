import { spawnSync } from "node:child_process";
import { existsSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { takeLock } from "./installed.ts";

const PATIENCE_MS = 600_000;

/** A program that tests need, or the reason why there is none: the tests are then skipped, and counted as skipped. */
export type FoundProgram = { readonly program: string; readonly missing?: never } | { readonly missing: string };

/**
 * Finds one of these programs on PATH. As root on Debian, it installs a missing one from this package: the first test file does,
 * others that run at the same time wait for it.
 */
export async function findDebianProgram(packageName: string, names: readonly string[]): Promise<FoundProgram> {
  const lock = join(tmpdir(), `toolwright-installs-${packageName}`);
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const program = existsSync(lock) ? undefined : onPath(names);
    if (program !== undefined) return { program };
    if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0)
      return { missing: `none of ${names.join(", ")} is on PATH. On Debian: apt-get install ${packageName}` };
    if (takeLock(lock)) return install(packageName, names, lock);
    await sleep(500);
  }
  return { missing: `another installation of ${packageName} does not end: remove ${lock}` };
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

function install(packageName: string, names: readonly string[], lock: string): FoundProgram {
  try {
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", packageName]]) {
      const { status, stderr } = spawnSync("apt-get", args, {
        encoding: "utf8",
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        timeout: PATIENCE_MS,
      });
      if (status !== 0) return { missing: `apt-get ${args.join(" ")} failed: ${stderr.trim()}` };
    }
    const program = onPath(names);
    return program === undefined ? { missing: `Debian's package ${packageName} has no program` } : { program };
  } finally {
    rmdirSync(lock);
  }
}
