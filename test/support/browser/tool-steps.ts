import type { Locator, Page } from "./playwright.ts";

/** The parts of the view of a tool. */
export const toolList = (page: Page): Locator => page.getByRole("listbox", { name: "Tools" });
export const inputPart = (page: Page): Locator => page.getByRole("region", { name: "Input", exact: true });
export const resultPart = (page: Page): Locator => page.getByRole("region", { name: "Result", exact: true });

/** Selects a tool by keyboard, with the search. */
export async function selectTool(page: Page, name: string): Promise<void> {
  await toolList(page).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await toolList(page)
    .getByRole("option", { name: new RegExp(`^${name}`) })
    .first()
    .waitFor();
  for (let tries = 0; tries < 20 && !page.url().endsWith(`/tools/${name}`); tries += 1) {
    await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(50);
  }
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.locator(".form-loading").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
}

/** Runs the selected tool. */
export async function run(page: Page, by: "keyboard" | "mouse" = "mouse"): Promise<void> {
  const button = inputPart(page).getByRole("button", { name: /^Run/ });
  await button.waitFor();
  if (by === "keyboard") await page.keyboard.press("Control+Enter");
  else await button.click();
}
