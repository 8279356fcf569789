import { spawnSync } from "node:child_process";
import { existsSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installed, takeLock } from "../installed.ts";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];
const LOCK = join(tmpdir(), "toolwright-installs-chromium");
const PATIENCE_MS = 600_000;

/** The program of a browser for the tests, or the reason why there is none: they are then skipped, and counted as skipped. */
export type FoundBrowser = { readonly program: string; readonly missing?: never } | { readonly missing: string };

/**
 * Finds Chromium on PATH and installs Playwright. As root on Debian, it installs a missing Chromium: the first test file does,
 * others that run at the same time wait for it.
 */
export async function findChromium(): Promise<FoundBrowser> {
  const missing = await installed("browser");
  if (missing !== undefined) return { missing };
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const program = existsSync(LOCK) ? undefined : onPath();
    if (program !== undefined) return { program };
    if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0)
      return { missing: `none of ${PROGRAMS.join(", ")} is on PATH. On Debian: apt-get install chromium` };
    if (takeLock(LOCK)) return installChromium();
    await sleep(500);
  }
  return { missing: `another installation of Chromium does not end: remove ${LOCK}` };
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

function installChromium(): FoundBrowser {
  try {
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
      const { status, stderr } = spawnSync("apt-get", args, {
        encoding: "utf8",
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        timeout: PATIENCE_MS,
      });
      if (status !== 0) return { missing: `apt-get ${args.join(" ")} failed: ${stderr.trim()}` };
    }
    const program = onPath();
    return program === undefined ? { missing: "Debian's package chromium has no program" } : { program };
  } finally {
    rmdirSync(LOCK);
  }
}
