import { describe, expect, it } from "vitest";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { isLive } from "../../support/browser/page-parts.ts";
import { PAGE_SETTINGS, PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import { sendMessage, startSession, toolCard, transcript, turnsEnded } from "../../support/browser/session-steps.ts";

/** What a browser logs about requests to a server that is down, stops, or has another token. */
const DOWN = /net::ERR_|status of (401|503)/;

describe.skipIf(missing)(`[U4] [S3] a server that is killed while a session streams${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS, settings: PAGE_SETTINGS });

  it("with the same token: the page says what happened, without a reload, and the session goes on", async () => {
    const { page, watch } = await world.open("/sessions");
    watch.expect({ consoleErrors: DOWN });
    await startSession(page, ["say before the end", 'call mark {"text":"first"}', "call slow", "say never"]);
    await toolCard(page, "slow").getByText("Working slowly").waitFor();
    await page.evaluate("window.sameDocument = true");
    await world.served.kill("SIGKILL");
    await world.served.start();
    await isLive(page);
    await transcript(page).getByText("The turn was interrupted.").waitFor();
    await toolCard(page, "slow").getByText("It is unknown whether it had an effect").first().waitFor();
    expect(await transcript(page).getByText("before the end", { exact: true }).count()).toBe(1);
    expect(await page.evaluate("window.sameDocument")).toBe(true);

    await transcript(page).getByRole("button", { name: "Continue" }).click();
    await turnsEnded(page, 1);
    await sendMessage(page, "say resumed");
    await turnsEnded(page, 2);
    await transcript(page).getByText("resumed", { exact: true }).last().waitFor();
  });

  it("while a question is open: it is closed as interrupted", async () => {
    const { page, watch } = await world.open("/sessions");
    watch.expect({ consoleErrors: DOWN });
    await startSession(page, ["call deploy"]);
    await page.getByRole("region", { name: /Allow deploy/ }).waitFor();
    await world.served.kill("SIGKILL");
    await world.served.start();
    await isLive(page);
    await transcript(page).getByText("Interrupted before it was answered.").waitFor();
    expect(await page.getByRole("region", { name: /Allow deploy/ }).count()).toBe(0);
  });

  it("with another token: the page asks for it, then shows the interrupted session", async () => {
    const { page, watch } = await world.open("/sessions");
    watch.expect({ consoleErrors: DOWN });
    await startSession(page, ["say streamed", "sleep 60000"]);
    await transcript(page).getByText("streamed", { exact: true }).waitFor();
    const address = page.url();
    await world.served.kill("SIGKILL");
    await world.served.start("a-token-that-is-new");
    const field = page.getByLabel("URL or token");
    await field.fill(world.served.loginUrl);
    await field.press("Enter");
    await transcript(page).getByText("The turn was interrupted.").waitFor();
    expect(page.url()).toBe(address);
  });

  it("stopped in the orderly way: the turn is interrupted, and can be continued", async () => {
    const { page, watch } = await world.open("/sessions");
    watch.expect({ consoleErrors: DOWN });
    await startSession(page, ["say streamed", "sleep 60000"]);
    await transcript(page).getByText("streamed", { exact: true }).waitFor();
    await world.served.kill("SIGTERM");
    await world.served.start();
    await isLive(page);
    await transcript(page).getByText("The turn was interrupted.").waitFor();
    await sendMessage(page, "say goes on");
    await turnsEnded(page, 1);
  });
});
