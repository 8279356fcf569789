import { describe, expect, it } from "vitest";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { connection, isLive, viewLink } from "../../support/browser/page-parts.ts";
import { PAGE_TOOLS } from "../../support/browser/page-tools.ts";

/** What a browser logs about requests to a server that is down, stops, or has another token. */
const DOWN = /net::ERR_|status of (401|503)/;

describe.skipIf(missing)(`[U4] [S3] the connection of the page to its server${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS });

  it("a server that is killed and started again is found again, without a reload", async () => {
    const { page, watch } = await world.open("/tools");
    watch.expect({ consoleErrors: DOWN });
    await isLive(page);
    await page.evaluate("window.sameDocument = true");
    await world.served.kill("SIGKILL");
    await connection(page, "Server stopped");
    await page.getByRole("alert").getByText("toolwright serve", { exact: true }).waitFor();
    world.served.put(".toolwright/tools/added.js", 'export default { description: "Added.", execute: () => "" };');
    await world.served.start();
    await isLive(page);
    await page.getByText("added").first().waitFor();
    expect(await page.getByRole("alert").filter({ visible: true }).count()).toBe(0);
    expect(await page.evaluate("window.sameDocument")).toBe(true);
  });

  it("after a restart with another token, the page asks for it and goes on where it was", async () => {
    const { page, watch } = await world.open("/calls");
    watch.expect({ consoleErrors: DOWN });
    await isLive(page);
    await world.served.kill("SIGKILL");
    await world.served.start("another-token-of-the-server");
    const field = page.getByLabel("URL or token");
    await field.waitFor();
    // Browsers close every dialog at the second Escape.
    for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
    await field.fill(world.served.loginUrl);
    await field.press("Enter");
    await isLive(page);
    expect(page.url()).toBe(`${world.served.url}/calls`);
    await viewLink(page, "Calls").and(page.locator("[aria-current=page]")).waitFor();
  });

  it("a page that was offline connects again by itself", async () => {
    const { page, context, watch } = await world.open("/tools");
    watch.expect({ consoleErrors: DOWN });
    await isLive(page);
    // The connection that is open stays: the server is on this machine.
    await context.setOffline(true);
    await world.served.kill("SIGKILL");
    await world.served.start();
    await connection(page, "Server stopped");
    await context.setOffline(false);
    await isLive(page);
  });

  it("the button tries again at once", async () => {
    const { page, watch } = await world.open("/agents");
    watch.expect({ consoleErrors: DOWN });
    await isLive(page);
    await world.served.kill("SIGTERM");
    await connection(page, "Server stopped");
    await world.served.start();
    await page.getByRole("button", { name: "Try now" }).press("Enter");
    await isLive(page);
  });
});
