import type { Locator, Page } from "./playwright.ts";

/** Starts a session of the demo agent by keyboard, and waits until it is shown. Returns its id. */
export async function startSession(page: Page, lines: readonly string[]): Promise<string> {
  await page.keyboard.press("Escape");
  await page.goto(`${new URL(page.url()).origin}/sessions?new=1`);
  const prompt = page.getByLabel("What should the agent do?");
  await page.getByRole("radio", { name: /^demo/ }).check();
  await prompt.fill(lines.join("\n"));
  await prompt.press("Control+Enter");
  await page.waitForURL((url) => /^\/sessions\/./.test(url.pathname));
  return decodeURIComponent(new URL(page.url()).pathname.slice("/sessions/".length));
}

export const transcript = (page: Page): Locator => page.getByRole("log", { name: "Transcript" });

/** Waits for the number of turns that have ended. */
export async function turnsEnded(page: Page, count: number): Promise<void> {
  await transcript(page)
    .getByText(/^Turn ended/)
    .nth(count - 1)
    .waitFor();
}

/** Sends a message, by mouse or by keyboard. */
export async function sendMessage(page: Page, text: string, by: "mouse" | "keyboard" = "keyboard"): Promise<void> {
  const field = page.getByLabel("Message to the agent");
  await field.fill(text);
  if (by === "keyboard") await field.press("Control+Enter");
  else await page.getByRole("button", { name: /^(Send|Queue)/ }).click();
}

/** The card of the last call of a tool. */
export const toolCard = (page: Page, tool: string): Locator =>
  transcript(page)
    .getByRole("article")
    .filter({ has: page.getByText(tool, { exact: true }) })
    .last();

/** Opens the dialog with the details of the shown session. */
export async function openDetails(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Details and actions" }).click();
  const dialog = page.getByRole("dialog", { name: "Session" });
  await dialog.waitFor();
  return dialog;
}
