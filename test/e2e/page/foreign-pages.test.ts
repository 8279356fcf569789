import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { browserWorld, missing, type OpenedPage, skipped } from "../../support/browser/browser-world.ts";
import { serveForeignPage } from "../../support/browser/foreign-page.ts";
import { PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import type { Page } from "../../support/browser/playwright.ts";

describe.skipIf(missing)(`[U4] [S4] [X1] pages of other servers in a browser that is logged in${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS });

  /** Foreign pages of the same site and of another one, in the profile of a page that is logged in. */
  const attackers = async (): Promise<{ opened: OpenedPage; pages: readonly Page[] }> => {
    const opened = await world.open();
    const { origin, otherSite } = await serveForeignPage();
    opened.watch.expect({ origins: [origin, otherSite], consoleErrors: /./ });
    const pages = [await opened.context.newPage(), await opened.context.newPage()];
    await pages[0]?.goto(origin);
    await pages[1]?.goto(otherSite);
    return { opened, pages };
  };

  const nothingHappened = async ({ context, page }: OpenedPage): Promise<void> => {
    expect(existsSync(join(world.served.at.project, "marks.txt"))).toBe(false);
    expect(await (await world.served.api("/api/sessions")).json()).toMatchObject({ sessions: [] });
    expect(await context.cookies()).toHaveLength(1);
    await page.reload();
    await page.getByRole("navigation").first().waitFor();
  };

  it("requests of their scripts change nothing, and their answers cannot be read", async () => {
    const { opened, pages } = await attackers();
    for (const page of pages) expect(await page.evaluate(`readEverything("${world.served.url}")`)).toEqual([]);
    await nothingHappened(opened);
  });

  it("forms that they submit change nothing", async () => {
    const { opened, pages } = await attackers();
    for (const page of pages)
      for (const path of ["/api/tools/mark/run", "/api/sessions", "/api/logout"]) {
        const from = page.url();
        const answered = page.waitForURL((url) => url.origin === world.served.url);
        await page.evaluate(`submitForm("${world.served.url}${path}")`);
        await answered;
        expect(await page.content()).toMatch(/forbidden_origin|unauthorized/);
        await page.goto(from);
      }
    await nothingHappened(opened);
  });

  it("their elements and event streams load nothing", async () => {
    const { opened, pages } = await attackers();
    for (const page of pages) expect(await page.evaluate(`loadElements("${world.served.url}")`)).toEqual([]);
    await nothingHappened(opened);
  });

  it("they cannot frame the page, nor keep a reference to its window", async () => {
    const { opened, pages } = await attackers();
    for (const page of pages) {
      for (const path of ["/", "/tools", "/sessions", "/api/tools"]) {
        const url = world.served.url + path;
        expect(await page.evaluate(`frame("${url}")`)).toBe("");
        expect(page.frames().map((frame) => frame.url())).not.toContain(url);
      }
      expect(await page.evaluate(`openWindow("${world.served.url}/")`)).toEqual([]);
    }
    await nothingHappened(opened);
  });
});
