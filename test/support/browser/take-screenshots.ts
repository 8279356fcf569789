/**
 * Writes the screenshots in `docs/images` with a real server and Chromium: `npm run screenshots`. Look at each before you commit
 * it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.ts";
import { launchBrowser } from "./launch-browser.ts";
import { isLive } from "./page-parts.ts";
import { PAGE_SETTINGS, PAGE_TOOLS } from "./page-tools.ts";
import type { Page } from "./playwright.ts";
import { SCENES } from "./screenshot-scenes.ts";
import { serveProject } from "./served-project.ts";

const FOLDER = fileURLToPath(new URL("../../../docs/images", import.meta.url));
const MOST_BYTES = 200_000;

const LOOKS = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  narrow: { colorScheme: "light", viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
};

const found = await findChromium();
if (found.missing !== undefined) throw new Error(found.missing);
mkdirSync(FOLDER, { recursive: true });
const files = Object.fromEntries(Object.entries(PAGE_TOOLS).filter(([path]) => !path.endsWith("broken.js")));
const served = await serveProject({ files, settings: PAGE_SETTINGS });
const { browser, close } = await launchBrowser(found.program);
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(15_000);
    for (const [scene, prepare] of Object.entries(SCENES)) {
      const page = await context.newPage();
      await page.goto(served.loginUrl);
      await isLive(page);
      await prepare(page, served);
      await write(page, `${scene}-${look}.png`);
      await page.close();
    }
    await context.close();
  }
} finally {
  await close();
  await served.close();
}

async function write(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  const bytes = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (bytes.length > MOST_BYTES) throw new Error(`${name} has ${bytes.length} bytes, more than ${MOST_BYTES}.`);
  writeFileSync(join(FOLDER, name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
