import { describe, expect, it } from "vitest";
import { seriousFindings } from "../../support/browser/axe.ts";
import { browserWorld, missing, skipped } from "../../support/browser/browser-world.ts";
import { startSession, toolCard, transcript, turnsEnded } from "../../support/browser/session-steps.ts";

const SETTINGS = { permissions: ["bash", "edit"].map((tool) => ({ tool, action: "allow" as const })) };

const scriptFor = (file: string): string[] => [
  `call read {"filePath":"${file}","offset":2,"limit":2}`,
  `call edit {"filePath":"${file}","oldString":"two","newString":"2\\nzwei"}`,
  `call bash {"command":"cat ${file}\\necho end","description":"Shows the notes"}`,
  'call glob {"pattern":"*.txt"}',
  'call todowrite {"todos":[{"id":"1","content":"Read","status":"completed","priority":"low"},{"id":"2","content":"Write","status":"in_progress","priority":"low"}]}',
  'call bash {"command":7,"description":"No command"}',
];

describe.skipIf(missing)(`[U4] cards of calls in the page${skipped}`, () => {
  const world = browserWorld({
    files: { "light.txt": "one\ntwo\nthree\n", "dark.txt": "one\ntwo\nthree\n" },
    settings: SETTINGS,
  });

  it.each([
    ["a wide window, light", { viewport: { width: 1200, height: 1400 }, colorScheme: "light" }],
    ["a narrow window, dark", { viewport: { width: 360, height: 1400 }, colorScheme: "dark" }],
  ] as const)("[U4] show commands, files, changes and lists: %s", async (_, options) => {
    const file = `${options.colorScheme}.txt`;
    const { page } = await world.open("/sessions", options);
    await startSession(page, scriptFor(file));
    await turnsEnded(page, 1);
    const open = async (tool: string, title: string) => {
      const card = toolCard(page, tool).filter({ hasText: title });
      await card.getByRole("button", { expanded: false }).focus();
      await page.keyboard.press("Enter");
      return card;
    };
    const read = await open("read", `${file}:2-3`);
    await read.getByText("end of file: 3 lines").waitFor();
    const edit = await open("edit", `${file} +2 -1`);
    expect(await edit.locator(".diff-line[data-kind=added]").allInnerTexts()).toEqual(["2+2\n", "3+zwei\n"]);
    expect(await edit.locator(".diff-line[data-kind=removed]").allInnerTexts()).toEqual(["2-two\n"]);
    const command = transcript(page)
      .getByRole("article")
      .filter({ hasText: `$ cat ${file} …` });
    await command.getByRole("button", { expanded: false }).click();
    expect(await command.locator(".command-text").textContent()).toBe(`cat ${file}\necho end`);
    const glob = await open("glob", '"*.txt"');
    await glob.getByText(file, { exact: false }).last().waitFor();
    const todos = await open("todowrite", "1 of 2 done");
    expect(await todos.getByRole("listitem").allInnerTexts()).toHaveLength(2);
    const wrong = await open("bash", "command");
    await wrong.getByRole("tree", { name: "Input" }).getByText("7").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    await edit.getByRole("button", { name: "Data" }).click();
    await edit.getByRole("tree", { name: "Input" }).getByText('"two"').waitFor();
  });
});
