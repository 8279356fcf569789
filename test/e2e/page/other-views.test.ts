import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seriousFindings } from "../../support/browser/axe.ts";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { isLive, viewLink } from "../../support/browser/page-parts.ts";
import { PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import type { Locator, Page } from "../../support/browser/playwright.ts";
import { startSession, transcript, turnsEnded } from "../../support/browser/session-steps.ts";
import { inputPart, resultPart } from "../../support/browser/tool-steps.ts";

const RULES = [
  { tool: "*", match: "undeclared", action: "allow" },
  { tool: "mark", action: "deny" },
];

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await element.evaluate((each) => each === each.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not reach ${element}.`);
}

describe.skipIf(missing)(`[U4] calls, agents and permissions in the page${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS, settings: { permissions: RULES } });
  const settings = (): string => readFileSync(join(world.served.at.home, ".toolwright/settings.json"), "utf8");

  it("calls: without any, the view says what to do; then they appear live, with charts", async () => {
    const { page } = await world.open("/calls");
    await page.getByRole("heading", { name: "No calls in this time" }).waitFor();
    await world.served.api("/api/tools/greet/run", { input: { name: "Ada" }, agent: "someone" });
    const list = page.getByRole("list", { name: "Calls" });
    await list.getByRole("button", { name: /greet.*someone \(http\)/ }).waitFor();
    await world.served.api("/api/tools/fails/run", {});
    await list.getByRole("button", { name: /fails.*The flux is too low/ }).waitFor();
    await page.getByRole("region", { name: "Calls over time" }).getByText("1 failed (50 %)").waitFor();
    await page.getByRole("region", { name: "Tools" }).getByRole("link", { name: "greet" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("calls: filtered by outcome and tool, and the entry opened, by keyboard and by mouse", async () => {
    const { page } = await world.open("/calls");
    const list = page.getByRole("list", { name: "Calls" });
    await list.getByRole("button", { name: /greet/ }).waitFor();
    await page.getByRole("group", { name: "Outcome" }).getByRole("button", { name: "failed" }).click();
    await list.getByRole("button", { name: /greet/ }).waitFor({ state: "hidden" });
    expect(page.url()).toContain("outcome=failed");
    await page.getByRole("group", { name: "Outcome" }).getByRole("button", { name: "all" }).press("Enter");
    await page.getByLabel("Tool", { exact: true }).selectOption("greet");
    await list.getByRole("button", { name: /fails/ }).waitFor({ state: "hidden" });
    await list.getByRole("button", { name: /greet/ }).press("Enter");
    const entry = page.getByRole("dialog", { name: "Call" });
    await entry.getByText('"Ada"').waitFor();
    await entry.getByText("someone, a client of the REST API").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await entry.waitFor({ state: "hidden" });
    await list.getByRole("button", { name: /greet/ }).click();
    await entry.getByRole("link", { name: "greet" }).click();
    await page.waitForURL((url) => url.pathname === "/tools/greet");
  });

  it("calls: filtered by caller, by keyboard and by mouse; a call from the page says so", async () => {
    const { page } = await world.open("/tools/greet");
    await inputPart(page).getByRole("textbox", { name: /^name/ }).fill("Page");
    await page.keyboard.press("Control+Enter");
    await resultPart(page).getByText("Hello, Page!").waitFor();
    await viewLink(page, "Calls").click();
    const list = page.getByRole("list", { name: "Calls" });
    const own = list.getByRole("button", { name: /greet.*Page.*page/ });
    const other = list.getByRole("button", { name: /\(http\)|http/ }).first();
    await own.waitFor();
    await other.waitFor();
    await page.getByLabel("Caller", { exact: true }).selectOption("page");
    await other.waitFor({ state: "hidden" });
    await own.click();
    await page.getByRole("dialog", { name: "Call" }).getByText("this page", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    const choice = page.getByLabel("Caller", { exact: true });
    await choice.focus();
    await page.keyboard.press("h");
    await page.waitForURL((url) => url.searchParams.get("caller") === "http");
    await own.waitFor({ state: "hidden" });
    await other.waitFor();
  });

  it("calls: j and k move from the first to the last, and stop there; an address of another call says so", async () => {
    const { page } = await world.open("/calls");
    for (const name of ["Grace", "Linus"]) await world.served.api("/api/tools/greet/run", { input: { name } });
    const rows = page.getByRole("list", { name: "Calls" }).getByRole("button");
    await rows.nth(1).waitFor();
    const count = await rows.count();
    for (let i = 0; i < count + 1; i += 1) await page.keyboard.press("j");
    expect(await rows.last().evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
    for (let i = 0; i < count + 1; i += 1) await page.keyboard.press("k");
    expect(await rows.first().evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
    await page.goto(`${world.served.url}/calls/0%20nothing`);
    await page.getByText(/^The call in the address is not in the list below/).waitFor();
  });

  it("calls: those of a session lead to it", async () => {
    const { page } = await world.open("/sessions");
    const id = await startSession(page, ['call greet {"name":"Bob"}']);
    await turnsEnded(page, 1);
    await viewLink(page, "Calls").click();
    await page
      .getByRole("list", { name: "Calls" })
      .getByRole("button", { name: /greet.*demo/ })
      .first()
      .click();
    await page.getByRole("dialog", { name: "Call" }).getByRole("link", { name: id }).click();
    await transcript(page).getByText("Turn ended").waitFor();
  });

  it("agents: the demo agent is ready, others have the command that installs them", async () => {
    const { page } = await world.open("/agents", { permissions: ["clipboard-read", "clipboard-write"] });
    const runnable = page.getByRole("region", { name: "Agents that run sessions here" });
    const demo = runnable.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "demo" }) });
    await demo.getByText("ready", { exact: true }).waitFor();
    const configured = page.getByRole("region", { name: /can call your tools/ });
    await configured.waitFor();
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await configured
      .getByText(/toolwright.* install/)
      .first()
      .waitFor();
    await configured.getByRole("button", { name: "Copy command" }).first().click();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toMatch(/ install /);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("agents: by keyboard alone: open the rest, copy a command, look again", async () => {
    const { page } = await world.open("/tools", { permissions: ["clipboard-read", "clipboard-write"] });
    await isLive(page);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    const configured = page.getByRole("region", { name: /can call your tools/ });
    await configured.waitFor();
    const rest = page.getByText(/more agents, which were not found/);
    await tabTo(page, rest);
    await page.keyboard.press("Enter");
    await tabTo(page, configured.getByRole("button", { name: "Copy command" }).last());
    await page.keyboard.press("Enter");
    await configured.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toMatch(/ install /);
    await tabTo(page, page.getByRole("button", { name: "Look again" }));
    world.served.put(join("..", "home", ".kiro/note.txt"), "");
    await page.keyboard.press("Space");
    const kiro = configured.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Kiro" }) });
    await kiro.getByText("without your tools").waitFor();
  });

  it("permissions: which rule decides, and why", async () => {
    const { page } = await world.open("/permissions");
    const explain = page.getByRole("region", { name: "Which rule decides?" });
    await explain.getByLabel("Tool").fill("mark");
    await explain.getByRole("button", { name: "Explain" }).click();
    await explain.getByText("denied", { exact: true }).first().waitFor();
    await explain.getByText("Rule 2:").waitFor();
    await explain.getByLabel("Tool").fill("greet");
    await explain.getByLabel("Input, as JSON").fill('{ "name": "Ada" }');
    await explain.getByLabel("Input, as JSON").press("Control+Enter");
    await explain.getByText("allowed", { exact: true }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await explain.getByLabel("Input, as JSON").fill("{ no");
    await explain.getByRole("button", { name: "Explain" }).press("Enter");
    await explain.getByText(/JSON/).last().waitFor();
  });

  it("permissions: a call that is refused, and its entry, lead to the rule", async () => {
    const { page, watch } = await world.open("/tools/mark");
    watch.expect({ consoleErrors: /status of 403/ });
    await page.getByLabel("text", { exact: true }).fill("here");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("link", { name: "Which rule decides?" }).click();
    const explain = page.getByRole("region", { name: "Which rule decides?" });
    expect(await explain.getByLabel("Tool").inputValue()).toBe("mark");
    expect(await explain.getByLabel("Input, as JSON").inputValue()).toBe('{"text":"here"}');
    await page.locator("button:focus", { hasText: "Explain" }).waitFor();
    // The address alone asks nothing.
    expect(await explain.getByText("Rule 2:").count()).toBe(0);
    await page.keyboard.press("Enter");
    await explain.getByText("Rule 2:").waitFor();
    await viewLink(page, "Calls").click();
    await page.getByRole("list", { name: "Calls" }).getByRole("button", { name: /^mark/ }).click();
    await page.getByRole("link", { name: "Which rule decides about this call?" }).click();
    await page.locator("button:focus", { hasText: "Explain" }).waitFor();
  });

  it("permissions: an answer for always becomes a rule, and is taken back", async () => {
    const { page } = await world.open("/sessions");
    await startSession(page, ["call deploy"]);
    await page
      .getByRole("region", { name: /Allow deploy/ })
      .getByRole("button", { name: "Always" })
      .click();
    await turnsEnded(page, 1);
    expect(settings()).toContain("deploy");
    await viewLink(page, "Permissions").click();
    await isLive(page);
    await page.getByRole("button", { name: /^Take back rule 3, for deploy/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Take back this rule?" });
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Take back" }).click();
    await page.getByRole("button", { name: /^Take back rule 3, for deploy/ }).waitFor({ state: "hidden" });
    expect(settings()).not.toContain("deploy");
    expect(settings()).toContain("mark");
  });

  it("permissions: answers given, newest first; taken back by mouse and by keyboard, where they have an effect", async () => {
    const { page } = await world.open("/permissions");
    const answers = page.getByRole("list", { name: "Answers given" });
    const rows = answers.locator("> li");
    await rows.filter({ hasText: "allowed always" }).filter({ hasText: "no longer applies" }).first().waitFor();
    await viewLink(page, "Sessions").click();
    const id = await startSession(page, ["call deploy"]);
    const question = page.getByRole("region", { name: /Allow deploy/ });
    await question.getByRole("button", { name: "For this session" }).click();
    await turnsEnded(page, 1);
    await viewLink(page, "Sessions").click();
    await startSession(page, ["call deploy"]);
    await question.getByLabel("Why not (the model reads it)").fill("after the review");
    await page.keyboard.press("Enter");
    await turnsEnded(page, 1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await rows.nth(0).getByText("refused", { exact: true }).waitFor();
    await rows.nth(0).getByText("“after the review”").waitFor();
    await rows
      .nth(0)
      .getByText(/^It asked for deploy/)
      .waitFor();
    expect(await rows.nth(0).getByRole("button").count()).toBe(0);
    await rows.nth(1).getByText("allowed for the session", { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await tabTo(page, rows.nth(1).getByRole("button", { name: "Take back the answer for deploy" }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Take back this answer?" });
    await dialog.getByText(/is removed from the session/).waitFor();
    await dialog.getByRole("button", { name: "Take back" }).click();
    await rows.nth(1).getByText("no longer applies").waitFor();
    await rows.nth(1).getByRole("link", { name: "call deploy" }).press("Enter");
    await page.waitForURL((url) => url.pathname === `/sessions/${id}`);
    await transcript(page).getByText("Turn ended").waitFor();
  });

  it("permissions: a settings file that changes is shown at once", async () => {
    const { page } = await world.open("/permissions");
    await page.getByRole("button", { name: /^Take back rule 2, for mark/ }).waitFor();
    const file = join("..", "home", ".toolwright/settings.json");
    world.served.put(file, JSON.stringify({ permissions: [...RULES, { tool: "weather", action: "ask" }] }));
    await page.getByRole("button", { name: /^Take back rule 3, for weather/ }).waitFor();
  });
});
