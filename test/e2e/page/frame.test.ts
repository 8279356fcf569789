import { describe, expect, it } from "vitest";
import { seriousFindings } from "../../support/browser/axe.ts";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { goTo, isLive, VIEWS, viewLink } from "../../support/browser/page-parts.ts";
import { PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import { inputPart } from "../../support/browser/tool-steps.ts";

/** The luminance of the background, 0 to 255. */
const BRIGHTNESS = `(() => {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, each) => sum + each) / 3;
})()`;

describe.skipIf(missing)(`[U4] the frame of the page${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS });

  it("the views are changed by keyboard and by mouse, and have addresses", async () => {
    const { page } = await world.open();
    const views = page.getByRole("navigation", { name: "Views" });
    for (const [name, key] of [...VIEWS, ...VIEWS.slice(0, 1)]) {
      await viewLink(page, name).waitFor();
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.pathname === `/${name.toLowerCase()}`);
      await views.locator("[aria-current=page]", { hasText: name }).waitFor();
    }
    for (const [name] of VIEWS) await goTo(page, name);
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/agents");
    await page.reload();
    await views.locator("[aria-current=page]", { hasText: "Agents" }).waitFor();
  });

  it("every view can be reached with the Tab key alone, and the focus is visible", async () => {
    const { page } = await world.open();
    await isLive(page);
    const seen: string[] = [];
    for (let i = 0; i < 9; i += 1) {
      await page.keyboard.press("Tab");
      seen.push(
        await page.evaluate(`(() => {
          const focused = document.activeElement;
          const style = getComputedStyle(focused);
          const visible = style.outlineStyle !== "none" || style.boxShadow !== "none";
          return (visible ? "" : "INVISIBLE ") + focused.textContent.trim();
        })()`),
      );
    }
    expect(seen.filter((text) => text.startsWith("INVISIBLE"))).toEqual([]);
    expect(seen.join("|")).toMatch(/Skip to the view.*Tools.*Sessions.*Calls.*Agents.*Permissions/);
  });

  it("Escape leaves a field, so that a shortcut can follow", async () => {
    const { page } = await world.open("/tools/greet");
    await inputPart(page).getByLabel("name").fill("Ada");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    const prompt = page.getByLabel("What should the agent do?");
    await prompt.waitFor();
    await page.keyboard.press("i");
    await page.keyboard.type("sleep 1");
    expect(await prompt.inputValue()).toBe("sleep 1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL((url) => url.pathname === "/calls");
  });

  it("? lists the shortcuts, Escape closes the list", async () => {
    const { page } = await world.open();
    await isLive(page);
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("Search in this view").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page
      .getByRole("button", { name: /Keyboard shortcuts/ })
      .filter({ visible: true })
      .first()
      .click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  it("light and dark follow the system, and can be switched; the choice is kept", async () => {
    const { page } = await world.open("/", { colorScheme: "light" });
    await isLive(page);
    const brightness = (): Promise<number> => page.evaluate<number>(BRIGHTNESS);
    expect(await brightness()).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await brightness()).toBeLessThan(60);
    const theme = (): ReturnType<typeof page.getByRole> =>
      page
        .getByRole("button", { name: /^Theme: / })
        .filter({ visible: true })
        .first();
    await theme().click();
    expect(await theme().getAttribute("aria-label")).toBe("Theme: light. Change to dark");
    expect(await brightness()).toBeGreaterThan(200);
    await page.reload();
    await theme().waitFor();
    expect(await brightness()).toBeGreaterThan(200);
    await theme().press("Enter");
    expect(await brightness()).toBeLessThan(60);
    await theme().press("Enter");
    expect(await theme().getAttribute("aria-label")).toBe("Theme: system. Change to light");
  });

  it("the first load is under 200 KB", async () => {
    const opened = await world.openEmpty();
    let bytes = 0;
    const files: string[] = [];
    opened.context.on("response", (response) => {
      if (new URL(response.url()).pathname.startsWith("/api/")) return;
      bytes += Number(response.headers()["content-length"] ?? 0);
      files.push(response.url());
    });
    await opened.page.goto(world.served.loginUrl);
    await isLive(opened.page);
    console.log(`First load: ${files.length} files, ${bytes} bytes`);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it("an unknown address says so, and leads back", async () => {
    const { page } = await world.open("/tools/a/b");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "tools" }).click();
    await page.waitForURL((url) => url.pathname === "/tools");
  });

  it("an address that the server does not know is the page too, which says so", async () => {
    const { page, watch } = await world.open("/");
    watch.expect({ consoleErrors: /status of 404/ });
    const response = await page.goto(`${world.served.url}/tool/greet`);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "tools" }).click();
    await page.waitForURL((url) => url.pathname === "/tools");
  });

  it.each([
    ["360 px wide", { width: 360, height: 740 }],
    ["760 px wide", { width: 760, height: 700 }],
    ["4K", { width: 3840, height: 2160 }],
  ])("%s: no view scrolls sideways", async (_, viewport) => {
    const { page } = await world.open("/", { viewport });
    for (const [name] of VIEWS) {
      await goTo(page, name);
      await page.waitForTimeout(300);
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, viewport.width]);
    }
  });

  it.each(["light", "dark"])("axe finds nothing serious in any view, %s", async (colorScheme) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      const { page } = await world.open("/", { colorScheme, viewport });
      for (const [name] of VIEWS) {
        await goTo(page, name);
        await page.waitForTimeout(300);
        expect([name, ...(await seriousFindings(page))]).toEqual([name]);
      }
    }
  });
});
