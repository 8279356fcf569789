import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startedWith } from "../processes.ts";
import { type Browser, loadPlaywright } from "./playwright.ts";

/** A browser, and its end: `close` rejects if one of its processes is left. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts Chromium with a temporary profile. It resolves no host name but localhost, so that nothing leaves this machine. */
export async function launchBrowser(program: string): Promise<LaunchedBrowser> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-browser-"));
  const browser = await loadPlaywright().chromium.launch({
    executablePath: program,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    env: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home },
    args: ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost", "--disable-dev-shm-usage"],
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      const left = startedWith(home);
      rmSync(home, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`The browser left processes behind: ${left.join("; ")}`);
    },
  };
}
