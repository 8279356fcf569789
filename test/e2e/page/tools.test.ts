import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seriousFindings } from "../../support/browser/axe.ts";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { collectShown } from "../../support/browser/page-parts.ts";
import { PAGE_SETTINGS, PAGE_TOOLS } from "../../support/browser/page-tools.ts";
import { inputPart, resultPart, run, selectTool, toolList } from "../../support/browser/tool-steps.ts";

describe.skipIf(missing)(`[U4] tools in the page${skipped}`, () => {
  const world = browserWorld({ files: PAGE_TOOLS, settings: PAGE_SETTINGS });

  it("a tool is found, filled in and run by keyboard alone", async () => {
    const { page } = await world.open("/tools");
    await selectTool(page, "greet");
    expect(page.url()).toBe(`${world.served.url}/tools/greet`);
    await inputPart(page).getByLabel("name").waitFor();
    await page.keyboard.type("Ada");
    await run(page, "keyboard");
    await resultPart(page).getByText("Hello, Ada!").waitFor();
    await resultPart(page).getByText("ok", { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("a tool is found, filled in and run by mouse", async () => {
    const { page } = await world.open("/tools");
    await page.getByRole("combobox", { name: /^Search tools/ }).fill("by name");
    await toolList(page)
      .getByRole("option", { name: /^greet/ })
      .click();
    await inputPart(page).getByLabel("name").fill("Bob");
    await run(page);
    await resultPart(page).getByText("Hello, Bob!").waitFor();
    const about = page.getByRole("region", { name: "About this tool" });
    await about.getByText("greet.js").waitFor();
    expect(await about.getByRole("link", { name: /greet\.js/ }).getAttribute("href")).toMatch(
      /^vscode:\/\/file\/.*greet\.js:1$/,
    );
    await about.getByText("greet({ name: string })").waitFor();
    await page.getByText("Input schema").click();
    await page.getByRole("tree", { name: "Input schema" }).getByText("{2 fields}").click();
    await page.getByRole("tree", { name: "Input schema" }).getByText('"The person to greet"').waitFor();
  });

  it("a search without a match says so, and Escape clears it", async () => {
    const { page } = await world.open("/tools");
    await toolList(page).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("zzqqxx");
    await page.getByRole("heading", { name: "No tool matches" }).waitFor();
    await page.keyboard.press("Escape");
    await toolList(page)
      .getByRole("option", { name: /^greet/ })
      .waitFor();
  });

  it("the form has a field for every kind of schema", async () => {
    const { page } = await world.open("/tools/kinds");
    const form = inputPart(page);
    await form.getByLabel("text").fill("some text");
    await form.getByLabel("count").fill("7");
    await form.getByRole("radiogroup", { name: "loud" }).getByRole("radio", { name: "true" }).click();
    for (const [key, chosen] of [
      ["ArrowRight", "false"],
      ["ArrowLeft", "true"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator("[role=radio][aria-checked=true]:focus", { hasText: chosen }).waitFor();
    }
    await form.getByLabel("color").selectOption({ label: "blue" });
    await form.getByRole("group", { name: "tags" }).getByRole("button", { name: "Add an item" }).click();
    await form.getByRole("textbox", { name: "Item 1" }).fill("first");
    await form.getByRole("group", { name: "tags" }).getByRole("button", { name: "Add an item" }).click();
    await form.getByRole("textbox", { name: "Item 2" }).fill("second");
    await form.getByRole("button", { name: "Remove item 1" }).click();
    await form.getByLabel("city").fill("Oslo");
    await form.getByLabel("floor").fill("3");
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Control+Enter");
    const tree = resultPart(page).getByRole("tree", { name: "Data of the result" });
    await tree.waitFor();
    const output = await resultPart(page).locator("pre").first().textContent();
    expect(JSON.parse(output ?? "")).toMatchObject({
      text: "some text",
      count: 7,
      ratio: 0.5,
      loud: true,
      color: "blue",
      tags: ["second"],
      place: { city: "Oslo", floor: 3 },
    });
    await form.getByRole("button", { name: "JSON" }).click();
    expect(JSON.parse(await form.getByLabel("Input as JSON").inputValue())).toMatchObject({
      count: 7,
      tags: ["second"],
    });
  });

  it("a mistake is shown at its field, with what is expected", async () => {
    const { page, watch } = await world.open("/tools/kinds");
    watch.expect({ consoleErrors: /status of 400/ });
    await inputPart(page).getByLabel("text").fill("x");
    await inputPart(page).getByLabel("count").fill("99");
    await run(page);
    await resultPart(page).getByText("must be <= 9").waitFor();
    const field = inputPart(page)
      .locator(".field")
      .filter({ has: page.getByText("count", { exact: true }) })
      .last();
    await field.getByText("must be <= 9").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("the input can be written as JSON; a syntax error has its place", async () => {
    const { page } = await world.open("/tools/greet");
    await inputPart(page).getByRole("button", { name: "JSON" }).press("Enter");
    const field = inputPart(page).getByLabel("Input as JSON");
    await field.fill('{\n  "name": }');
    await inputPart(page)
      .getByText(/^Line 2, column/)
      .waitFor();
    expect(await inputPart(page).getByRole("button", { name: /^Run/ }).isEnabled()).toBe(false);
    await field.fill('{ "name": "JSON" }');
    await field.press("Control+Enter");
    await resultPart(page).getByText("Hello, JSON!").waitFor();
    await inputPart(page).getByRole("button", { name: "Form" }).click();
    expect(await inputPart(page).getByLabel("name").inputValue()).toBe("JSON");
  });

  it("in a narrow window, the field for JSON is as wide as the window", async () => {
    const { page } = await world.open("/tools/kinds", { viewport: { width: 360, height: 740 } });
    await inputPart(page).getByRole("button", { name: "JSON" }).click();
    const box = await inputPart(page).getByLabel("Input as JSON").boundingBox();
    expect(box?.width).toBeGreaterThan(320);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("progress is shown while a tool runs", async () => {
    const { page } = await world.open("/tools/steps");
    const steps = await collectShown(page, /Step \d of 3/);
    await run(page);
    await resultPart(page).getByText("All steps are done.").waitFor();
    expect(await steps()).toEqual(["Step 1 of 3", "Step 2 of 3", "Step 3 of 3"]);
  });

  it.each(["keyboard", "mouse"] as const)("a call is aborted by %s, and the tool notices", async (by) => {
    const { page } = await world.open("/tools/slow");
    await run(page, "mouse");
    await resultPart(page).getByText("Working slowly").waitFor();
    if (by === "keyboard") await page.keyboard.press("Escape");
    else
      await inputPart(page)
        .getByRole("button", { name: /^Abort/ })
        .click();
    await resultPart(page).getByText("aborted", { exact: true }).waitFor();
    await inputPart(page).getByRole("button", { name: /^Run/ }).waitFor();
    await expect.poll(() => existsSync(join(world.served.at.project, "aborted.txt")), { timeout: 10_000 }).toBe(true);
  });

  it("while a menu is open, Escape closes it, and the call goes on", async () => {
    const { page } = await world.open("/tools/slow");
    await run(page, "mouse");
    await resultPart(page).getByText("Working slowly").waitFor();
    await inputPart(page)
      .getByRole("button", { name: /^Copy as/ })
      .click();
    await page.locator("[role=menuitem]:focus").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem").first().waitFor({ state: "hidden" });
    expect(new URL(page.url()).pathname).toBe("/tools/slow");
    await inputPart(page)
      .getByRole("button", { name: /^Abort/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await resultPart(page).getByText("aborted", { exact: true }).waitFor();
  });

  it("a failure shows its message, its place and what to do", async () => {
    const { page } = await world.open("/tools/fails");
    await run(page, "keyboard");
    await resultPart(page).getByText("The flux is too low. Raise it with --flux.").waitFor();
    await resultPart(page)
      .getByText(/fails\.js:3/)
      .waitFor();
  });

  it("an image is shown, files can be downloaded, and an SVG is never drawn", async () => {
    const { page } = await world.open("/tools/picture");
    await run(page);
    const image = resultPart(page).getByRole("img", { name: "Output of the tool" });
    await image.waitFor();
    expect(await image.evaluate((element) => element.naturalWidth)).toBe(96);

    await page.goto(`${world.served.url}/tools/report`);
    await run(page);
    await resultPart(page).getByText("Two files.").waitFor();
    const downloading = page.waitForEvent("download");
    await resultPart(page)
      .getByRole("button", { name: /numbers\.csv/ })
      .click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("numbers.csv");
    expect(readFileSync(await download.path(), "utf8")).toBe("a,b\n1,2\n");
    expect(await resultPart(page).locator("img").count()).toBe(0);
    await resultPart(page)
      .getByText(/image\/svg\+xml/)
      .waitFor();
  });

  it("structured data is a tree that opens by keyboard and by mouse", async () => {
    const { page } = await world.open("/tools/weather");
    await run(page);
    const tree = resultPart(page).getByRole("tree", { name: "Data of the result" });
    await tree.getByText('"Oslo"').waitFor();
    await tree.getByRole("treeitem").first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await tree.getByText('"Monday"').waitFor();
    await tree.getByRole("treeitem", { name: /^1:/ }).locator(".tree-line").first().click();
    await tree.getByText('"Tuesday"').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("long output is cut, and the whole is behind a link", async () => {
    const { page } = await world.open("/tools/huge");
    await run(page);
    await resultPart(page)
      .getByText(/^The output was cut to/)
      .waitFor();
    const downloading = page.waitForEvent("download");
    await resultPart(page).getByRole("link", { name: "Download the whole output" }).click();
    const whole = readFileSync(await (await downloading).path(), "utf8");
    expect(whole.split("\n").slice(0, 1)).toEqual(["row 1"]);
    expect(whole.trimEnd().endsWith("row 20000")).toBe(true);
  });

  it("a question of a tool is answered in place", async () => {
    const { page } = await world.open("/tools/deploy");
    await inputPart(page).getByLabel("place").fill("production");
    await run(page);
    const card = page.getByRole("region", { name: /Allow deploy/ });
    await card.getByRole("button", { name: "Allow once" }).press("Enter");
    await resultPart(page).getByText("Deployed to production.").waitFor();
    await run(page);
    await card.getByLabel(/^Why not/).fill("Too late");
    await card.getByRole("button", { name: "No" }).click();
    await resultPart(page)
      .getByText(/The user said: Too late/)
      .waitFor();
  });

  it("the dialogs of a tool are answered in place", async () => {
    const { page } = await world.open("/tools/dialogs");
    await run(page);
    const card = page.getByRole("region", { name: /dialogs asks/ });
    await card.getByRole("button", { name: "apple" }).click();
    await card.getByRole("button", { name: "No", exact: true }).click();
    await card.getByLabel("Your name?").waitFor();
    await card.getByRole("button", { name: "Close without an answer" }).click();
    await card.getByLabel("Your text?").fill("written");
    await card.getByRole("button", { name: /^Answer/ }).click();
    await resultPart(page).getByText('["apple",false,null,"written"]').waitFor();
  });

  it("earlier inputs are in the history", async () => {
    const { page } = await world.open("/tools/greet");
    for (const name of ["One", "Two"]) {
      await inputPart(page).getByLabel("name").fill(name);
      await run(page);
      await resultPart(page).getByText(`Hello, ${name}!`).waitFor();
    }
    await page.reload();
    await inputPart(page)
      .getByRole("button", { name: /^History/ })
      .click();
    await page.getByRole("menuitem", { name: /"One"/ }).click();
    expect(await inputPart(page).getByLabel("name").inputValue()).toBe("One");
    await inputPart(page)
      .getByRole("button", { name: /^History/ })
      .press("Enter");
    // The first item gets the focus when the menu is drawn.
    await page.locator("[role=menuitem]:focus").waitFor();
    await page.keyboard.press("Enter");
    expect(await inputPart(page).getByLabel("name").inputValue()).toBe("Two");
  });

  it("the call can be copied for other places, without the token", async () => {
    const { page } = await world.open("/tools/greet", { permissions: ["clipboard-read", "clipboard-write"] });
    await inputPart(page).getByLabel("name").fill("it's");
    const copied = async (name: string): Promise<string> => {
      await inputPart(page)
        .getByRole("button", { name: /^Copy as/ })
        .click();
      await page.getByRole("menuitem", { name }).click();
      await page.getByText(`Copied as ${name}.`).waitFor();
      const text = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(text).not.toContain(world.served.token);
      return text;
    };
    expect(await copied("CLI")).toMatch(/ run greet --input '\{"name":"it'\\''s"\}' --cwd \S+ --trust$/);
    expect(await copied("curl")).toContain(`${world.served.url}/api/tools/greet/run`);
    expect(await copied("TypeScript")).toContain('client.tools.run("greet"');
    expect(JSON.parse(await copied("MCP config"))).toMatchObject({
      mcpServers: { toolwright: { url: `${world.served.url}/mcp` } },
    });
  });

  it("a saved tool file changes the page at once; a broken one shows the problem and keeps its last version", async () => {
    const file = ".toolwright/tools/changing.js";
    const { page } = await world.open("/tools");
    await toolList(page).waitFor();
    world.served.put(file, 'export default { description: "First version.", execute: () => "one" };');
    const option = toolList(page).getByRole("option", { name: /^changing/ });
    await option.getByText("First version.").waitFor();
    await option.click();
    world.served.put(
      file,
      'export default { description: "Second version.", args: { extra: { type: "string" } }, execute: () => "two" };',
    );
    await page.getByRole("region", { name: "About this tool" }).getByText("Second version.").waitFor();
    await inputPart(page).getByLabel("extra").fill("x");
    await run(page);
    await resultPart(page).getByText("two").waitFor();
    world.served.put(file, "export default { description: ");
    await page.getByText("The last version that worked is shown and served.").waitFor();
    await page
      .getByRole("link", { name: /problems?/ })
      .first()
      .click();
    await page.getByRole("article").filter({ hasText: "changing.js" }).getByText("Unexpected end of input.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it("a tool that does not exist says so", async () => {
    const { page } = await world.open("/tools/no-such-tool");
    await page.getByText("There is no tool named").waitFor();
  });
});
