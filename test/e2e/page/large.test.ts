import { describe, expect, it } from "vitest";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { isLive } from "../../support/browser/page-parts.ts";
import { manyTools, PAGE_SETTINGS } from "../../support/browser/page-tools.ts";
import type { Page } from "../../support/browser/playwright.ts";
import { transcript } from "../../support/browser/session-steps.ts";
import { RARE_WORDS, storeLongSession } from "../../support/browser/stored-sessions.ts";
import { inputPart, resultPart, run, selectTool, toolList } from "../../support/browser/tool-steps.ts";

const EVENTS = 10_000;

/** Records the tasks of the page over 50 ms. */
const OBSERVE = `window.longTasks = [];
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration)); })
  .observe({ type: "longtask", buffered: true });`;

/** The long tasks since the last call, in one line. */
async function longTasks(page: Page): Promise<string> {
  const all = await page.evaluate<number[]>("window.longTasks.splice(0)");
  return `${all.length} long tasks, ${all.reduce((sum, each) => sum + each, 0)} ms in total, longest ${Math.max(0, ...all)} ms`;
}

describe.skipIf(missing)(`[U4] large amounts in the page${skipped}`, () => {
  const world = browserWorld({ files: manyTools(500), settings: PAGE_SETTINGS });

  it("500 tools: all are in the list, found and run", async () => {
    const opened = await world.open("/agents");
    await isLive(opened.page);
    const { page } = opened;
    await page.goto(`${world.served.url}/tools`);
    await toolList(page).waitFor();
    await page.evaluate(OBSERVE);
    await page.getByPlaceholder("Search 515 tools").waitFor();
    for (let i = 0; i < 30; i += 1) {
      await toolList(page)
        .locator(".tool-rows")
        .evaluate((list) => list.scrollBy(0, 800));
      await page.waitForTimeout(30);
    }
    console.log(`500 tools, scrolled to the end: ${await longTasks(page)}`);
    await toolList(page)
      .locator(".tool-rows")
      .evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await toolList(page)
      .getByRole("option", { name: /^write/ })
      .waitFor();
    await selectTool(page, "set7_tool337");
    console.log(`500 tools, search and selection: ${await longTasks(page)}`);
    await inputPart(page).getByLabel("value").fill("x");
    await run(page);
    await resultPart(page).getByText("Tool 337 got x").waitFor();
  });

  it("a session of 10,000 events: scrolled and searched, everything is found", async () => {
    await storeLongSession(world.served, "long", EVENTS);
    const { page } = await world.open("/agents");
    await isLive(page);
    await page.goto(`${world.served.url}/sessions/long`);
    await page.evaluate(OBSERVE);
    const begun = performance.now();
    const last = `Part ${Math.floor((EVENTS - 2) / 7) * 7}`;
    await transcript(page).getByRole("heading", { name: last }).waitFor();
    console.log(`10,000 events, opened in ${Math.round(performance.now() - begun)} ms: ${await longTasks(page)}`);

    for (let i = 0; i < 60; i += 1) {
      await transcript(page).evaluate((log) => log.scrollBy(0, -1500));
      await page.waitForTimeout(30);
    }
    console.log(`10,000 events, scrolled 60 screens up: ${await longTasks(page)}`);
    await transcript(page).evaluate((log) => log.scrollTo(0, 0));
    await transcript(page).getByText("Question 0", { exact: false }).first().waitFor();
    console.log(`10,000 events, jumped to the beginning: ${await longTasks(page)}`);

    for (const word of RARE_WORDS) {
      await page.keyboard.press("Escape");
      await transcript(page).focus();
      await page.keyboard.press("/");
      await page.getByLabel("Search in this transcript", { exact: true }).fill(word);
      const searched = performance.now();
      await page
        .getByRole("search")
        .getByText(/^1 match|^1 of 1$/)
        .waitFor();
      await page.keyboard.press("Enter");
      await transcript(page).getByText(word).first().waitFor();
      console.log(
        `10,000 events, found "${word}" in ${Math.round(performance.now() - searched)} ms: ${await longTasks(page)}`,
      );
    }
    await page.getByLabel("Search in this transcript", { exact: true }).fill("Person");
    await page
      .getByRole("search")
      .getByText(/^[\d,]+ matches$|^\d+ of [\d,]+$/)
      .waitFor();
    await page.getByLabel("Search in this transcript", { exact: true }).fill("no such words");
    await page.getByRole("search").getByText("No match").waitFor();
    expect(await transcript(page).getByRole("article").count()).toBeLessThan(100);
  });
});
