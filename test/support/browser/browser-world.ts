import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll } from "vitest";
import { findChromium } from "./chromium.ts";
import { type LaunchedBrowser, launchBrowser } from "./launch-browser.ts";
import type { Browser, BrowserContext, Page } from "./playwright.ts";
import { type ServedOptions, type ServedProject, serveProject } from "./served-project.ts";
import { type Watch, watch } from "./watched-page.ts";

const found = await findChromium();

/** Why the tests of the page are skipped, if they are. */
export const missing: string | undefined = found.missing;

/** For the title of a group of tests: says why it is skipped. */
export const skipped = missing === undefined ? "" : ` (${missing})`;

const REPORTS = fileURLToPath(new URL("../../../test-reports/page", import.meta.url));
const WAIT_MS = 10_000;

/** A page in a browser profile of its own. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly watch: Watch;
}

/** A browser and a served project, shared by the tests of one file. */
export interface BrowserWorld {
  readonly served: ServedProject;
  readonly browser: Browser;
  /** Opens a page that is logged in, in a new profile. Everything that `Watch` records fails the current test. */
  open(path?: string, options?: object): Promise<OpenedPage>;
  /** Opens an empty page in a new profile. */
  openEmpty(options?: object): Promise<OpenedPage>;
}

/**
 * Starts the browser and the server before the tests of this file, and ends them after it. Call it inside the `describe` of the
 * tests. The result may be used only in tests.
 */
export function browserWorld(options: ServedOptions): BrowserWorld {
  let served: ServedProject | undefined;
  let launched: LaunchedBrowser | undefined;
  let opened: OpenedPage[] = [];

  beforeAll(async () => {
    if (found.missing !== undefined) return;
    [served, launched] = await Promise.all([serveProject(options), launchBrowser(found.program)]);
  }, 120_000);
  afterEach(async ({ task }) => {
    const all = opened;
    opened = [];
    if (task.result?.state === "fail") await keepScreenshots(task.name, all);
    await Promise.all(all.map(({ context }) => context.close()));
    const violations = all.flatMap((each) => each.watch.violations);
    if (violations.length > 0) throw new Error(`The page must not do this:\n${violations.join("\n")}`);
  });
  afterAll(async () => {
    await launched?.close();
    await served?.close();
  }, 60_000);

  const world: BrowserWorld = {
    get served() {
      if (!served) throw new Error("The server is started before the first test.");
      return served;
    },
    get browser() {
      if (!launched) throw new Error("The browser is started before the first test.");
      return launched.browser;
    },
    open: async (path = "/", contextOptions) => {
      const one = await world.openEmpty(contextOptions);
      await one.page.goto(`${world.served.url}${path}?token=${world.served.token}`);
      return one;
    },
    openEmpty: async (contextOptions) => {
      const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, ...contextOptions });
      context.setDefaultTimeout(WAIT_MS);
      const watched = await watch(context, world.served.url);
      const one = { context, watch: watched, page: await context.newPage() };
      opened.push(one);
      return one;
    },
  };
  return world;
}

/** Shows what a failed test saw: `test-reports/page/TITLE-1.png` for its first page. */
async function keepScreenshots(title: string, all: readonly OpenedPage[]): Promise<void> {
  const name = title.replace(/[^a-z0-9]+/gi, "-").slice(0, 80);
  for (const [index, { page }] of all.entries())
    await page.screenshot({ path: join(REPORTS, `${name}-${index + 1}.png`) }).catch(() => {});
}
