import { type FoundProgram, findDebianProgram } from "../debian-program.ts";
import { installed } from "../installed.ts";

/** Finds Chromium on PATH, installs it as root on Debian if it is missing, and installs Playwright. */
export async function findChromium(): Promise<FoundProgram> {
  const missing = await installed("browser");
  if (missing !== undefined) return { missing };
  return findDebianProgram("chromium", ["chromium", "chromium-browser", "google-chrome"]);
}
