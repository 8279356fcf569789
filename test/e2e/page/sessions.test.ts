import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seriousFindings } from "../../support/browser/axe.ts";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { collectShown } from "../../support/browser/page-parts.ts";
import { PAGE_SETTINGS, PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import {
  openDetails,
  sendMessage,
  startSession,
  toolCard,
  transcript,
  turnsEnded,
} from "../../support/browser/session-steps.ts";

describe.skipIf(missing)(`[U4] [S2] sessions in the page${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS, settings: PAGE_SETTINGS });

  it("a newcomer starts a session without a model, by mouse", async () => {
    const { page } = await world.open("/sessions");
    await page.getByRole("link", { name: "Start one" }).click();
    await page.getByRole("button", { name: "Try it without a model" }).click();
    expect(await page.getByLabel("What should the agent do?").inputValue()).not.toBe("");
    await page.getByRole("button", { name: /^Start/ }).click();
    await turnsEnded(page, 1);
    expect(await transcript(page).getByRole("article").count()).toBeGreaterThan(0);
  });

  it("a session that does not exist says so, and leads back", async () => {
    const { page, watch } = await world.open("/agents", { viewport: { width: 360, height: 740 } });
    watch.expect({ consoleErrors: /status of 404/ });
    await page.goto(`${world.served.url}/sessions/nothing`);
    await page.getByRole("heading", { name: "There is no such session" }).waitFor();
    await page.getByRole("link", { name: "your sessions" }).click();
    await page.getByLabel("Search sessions by title or id").waitFor();
  });

  it("a turn is streamed as Markdown, with a card for each call", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, [
      "say # Plan",
      "say Some **bold** text, and `code`.",
      'call greet {"name":"Ada"}',
      "call fails",
      "say All done.",
    ]);
    await turnsEnded(page, 1);
    await transcript(page).getByRole("heading", { name: "Plan" }).waitFor();
    expect(await transcript(page).locator("strong", { hasText: "bold" }).count()).toBe(1);
    await transcript(page).getByText("All done.").last().waitFor();

    const card = toolCard(page, "greet");
    const head = card.getByRole("button", { expanded: false });
    await head.focus();
    await page.keyboard.press("Enter");
    await card.getByRole("tree", { name: "Input" }).getByText('"Ada"').waitFor();
    await card.getByText("Hello, Ada!").waitFor();
    const failed = toolCard(page, "fails");
    await failed.getByText("The flux is too low.").first().waitFor();
    await failed.getByRole("button", { expanded: false }).click();
    await failed.getByText("The flux is too low. Raise it with --flux.").last().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("text appears while it is streamed, and progress while a call runs", async () => {
    const { page } = await world.open("/sessions");
    const steps = await collectShown(page, /Step \d of 3|Cancel Esc/);
    await startSession(page, ["say first words", 'call steps {"ms":700}', "say last words"]);
    await transcript(page).getByText("first words").last().waitFor();
    await turnsEnded(page, 1);
    expect(await steps()).toEqual(expect.arrayContaining(["Cancel Esc", "Step 1 of 3", "Step 2 of 3", "Step 3 of 3"]));
    expect(await page.getByRole("button", { name: /^Cancel/ }).count()).toBe(0);
  });

  it.each(["keyboard", "mouse"] as const)("a question is answered in place, by %s", async (by) => {
    const { page } = await world.open("/sessions");
    await startSession(page, ['call deploy {"place":"production"}', "say after"]);
    const card = page.getByRole("region", { name: /Allow deploy/ });
    await card.getByText('"deploy" asks for permission: deploy.').waitFor();
    expect(await page.title()).toMatch(/^\(1\) /);
    expect(await seriousFindings(page)).toEqual([]);
    if (by === "mouse") await card.getByRole("button", { name: "Allow once" }).click();
    else {
      await page.keyboard.press("q");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Allow once");
      await page.keyboard.press("Enter");
    }
    await turnsEnded(page, 1);
    await transcript(page).getByText("Allowed once.").waitFor();
    await toolCard(page, "deploy").getByRole("button", { expanded: false }).click();
    await transcript(page).getByText("Deployed to production.").first().waitFor();
  });

  it("a question of a sub-agent is answered in the session that delegates", async () => {
    const { page } = await world.open("/sessions");
    const prompt = 'call deploy {"place":"test"}\nsay Deployed it.';
    const work = { description: "Deploy", prompt, subagent_type: "general" };
    await startSession(page, [`call task ${JSON.stringify(work)}`, "say after"]);
    const card = page.getByRole("region", { name: /Allow deploy/ });
    await card.getByRole("button", { name: "Allow once" }).click();
    await turnsEnded(page, 1);
    await transcript(page).getByText("Allowed once.").waitFor();
    await toolCard(page, "task").getByRole("button", { expanded: false }).click();
    await toolCard(page, "task")
      .getByText(/^Deployed it\./)
      .first()
      .waitFor();
  });

  it("a question is refused with a reason, which the model reads", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, ["call deploy"]);
    const card = page.getByRole("region", { name: /Allow deploy/ });
    await card.getByLabel(/^Why not/).fill("Not on a Friday.");
    await card.getByLabel(/^Why not/).press("Enter");
    await transcript(page).getByText("Not allowed: Not on a Friday.").waitFor();
    await turnsEnded(page, 1);
    await toolCard(page, "deploy").getByText("The user said: Not on a Friday.").first().waitFor();
  });

  it("an answer for the session is remembered, and can be taken back", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, ["call deploy"]);
    await page
      .getByRole("region", { name: /Allow deploy/ })
      .getByRole("button", { name: "For this session" })
      .click();
    await turnsEnded(page, 1);
    await sendMessage(page, "call deploy");
    await turnsEnded(page, 2);
    const dialog = await openDetails(page);
    await dialog
      .getByRole("button", { name: /Take back/ })
      .first()
      .click();
    await dialog
      .getByRole("button", { name: /Take back/ })
      .first()
      .waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await sendMessage(page, "call deploy");
    await page
      .getByRole("region", { name: /Allow deploy/ })
      .getByRole("button", { name: "No" })
      .click();
    await turnsEnded(page, 3);
  });

  it("the dialogs of a tool file are answered in place", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, ["call dialogs"]);
    const card = page.getByRole("region", { name: /dialogs asks/ });
    await card.getByText("Which fruit?").waitFor();
    await card.getByRole("button", { name: "pear" }).click();
    await card.getByText("It cannot be undone.").waitFor();
    await card.getByRole("button", { name: "Yes" }).press("Enter");
    await card.getByLabel("Your name?").fill("Ada");
    await card.getByLabel("Your name?").press("Enter");
    const editor = card.getByLabel("Your text?");
    await editor.waitFor();
    expect(await editor.inputValue()).toBe("old text");
    await editor.fill("new text\nof two lines");
    await editor.press("Control+Enter");
    await turnsEnded(page, 1);
    await toolCard(page, "dialogs").getByRole("button", { expanded: false }).click();
    await toolCard(page, "dialogs").getByText('["pear",true,"Ada","new text\\nof two lines"]').waitFor();
  });

  it("messages are sent again, queued while a turn runs, and a turn is cancelled, by keyboard and by mouse", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, ["say one"]);
    await turnsEnded(page, 1);
    await sendMessage(page, "say two\nsleep 1500\nsay three", "mouse");
    await transcript(page).getByText("two").last().waitFor();
    await sendMessage(page, "say queued message");
    await page.getByRole("region", { name: "Message that waits" }).waitFor();
    await turnsEnded(page, 3);
    await transcript(page).getByText("queued message", { exact: true }).last().waitFor();

    await sendMessage(page, "call slow");
    await toolCard(page, "slow").getByText("Working slowly").waitFor();
    await page.getByLabel("Message to the agent").press("Escape");
    await transcript(page)
      .getByText(/^Cancelled/)
      .first()
      .waitFor();
    await sendMessage(page, "sleep 60000");
    await page.getByRole("button", { name: /^Cancel/ }).click();
    await transcript(page)
      .getByText(/^Cancelled/)
      .nth(1)
      .waitFor();
    await sendMessage(page, "say still alive");
    await turnsEnded(page, 4);
  });

  it("a session is branched, exported and deleted", async () => {
    const { page } = await world.open("/sessions");
    const id = await startSession(page, ["say the original"]);
    await turnsEnded(page, 1);
    await transcript(page).getByText("say the original").hover();
    await transcript(page).getByRole("button", { name: "Branch from here" }).first().click();
    await page.waitForURL(
      (url) => url.pathname.startsWith("/sessions/") && !url.pathname.endsWith(encodeURIComponent(id)),
    );
    await sendMessage(page, "say only in the branch");
    await transcript(page).getByText("only in the branch").last().waitFor();
    await turnsEnded(page, 1);

    for (const [name, extension, text] of [
      ["Markdown", ".md", "only in the branch"],
      ["JSON lines", ".jsonl", '"type":"session.start"'],
    ] as const) {
      const dialog = await openDetails(page);
      const downloading = page.waitForEvent("download");
      await dialog.getByRole("link", { name }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toContain(extension);
      expect(readFileSync(await download.path(), "utf8")).toContain(text);
      await page.keyboard.press("Escape");
    }

    const dialog = await openDetails(page);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("dialog", { name: "Delete this session?" })
      .getByRole("button", { name: "Delete" })
      .press("Enter");
    await page.waitForURL((url) => url.pathname === "/sessions");
    await page.getByRole("region", { name: "Sessions" }).getByText("say the original").first().waitFor();
  });

  it("the list is searched, filtered and moved in by keyboard", async () => {
    const { page } = await world.open("/sessions");
    for (const title of ["say alpha particles", "say beta carotene"]) {
      await startSession(page, [title]);
      await turnsEnded(page, 1);
    }
    await page.goto(`${world.served.url}/sessions`);
    const list = page.getByRole("region", { name: "Sessions" });
    await list.getByText("say beta carotene").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("alpha");
    await list.getByText("say beta carotene").waitFor({ state: "hidden" });
    await list.getByText("say alpha particles").waitFor();
    await list.getByLabel(/^Search sessions/).fill("");
    await page.keyboard.press("Escape");
    await list.getByText("say beta carotene").waitFor();
    await page.keyboard.press("j");
    await transcript(page).getByText("beta carotene").first().waitFor();
    await page.keyboard.press("j");
    await transcript(page).getByText("alpha particles").first().waitFor();
    await page.keyboard.press("k");
    await transcript(page).getByText("beta carotene").first().waitFor();
    await list.getByLabel("Filter by status").selectOption("error");
    await list.getByText("No session matches").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("two pages show one session; the first answer counts in both", async () => {
    const first = await world.open("/sessions");
    const second = await world.open("/sessions");
    const id = await startSession(first.page, ["say to both", "call deploy", "say the end"]);
    await second.page.getByRole("region", { name: "Sessions" }).getByText("say to both").first().click();
    expect(second.page.url()).toContain(encodeURIComponent(id));
    for (const { page } of [first, second]) await page.getByRole("region", { name: /Allow deploy/ }).waitFor();
    await second.page
      .getByRole("region", { name: /Allow deploy/ })
      .getByRole("button", { name: "Allow once" })
      .click();
    for (const { page } of [first, second]) {
      await turnsEnded(page, 1);
      await page.getByRole("region", { name: /Allow deploy/ }).waitFor({ state: "hidden" });
      await transcript(page).getByText("the end").last().waitFor();
    }
    await sendMessage(first.page, "say written in the first");
    await transcript(second.page).getByText("written in the first").last().waitFor();
    await sendMessage(second.page, "say written in the second");
    await transcript(first.page).getByText("written in the second").last().waitFor();
    const texts = await Promise.all([first, second].map(({ page }) => transcript(page).textContent()));
    expect(texts[0]?.split("written in the first").length).toBe(texts[1]?.split("written in the first").length);
  });
});
