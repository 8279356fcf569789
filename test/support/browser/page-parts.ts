import type { Locator, Page } from "./playwright.ts";

/** The views, and the key that follows `g`. */
export const VIEWS = [
  ["Tools", "t"],
  ["Sessions", "s"],
  ["Calls", "c"],
  ["Agents", "a"],
  ["Permissions", "p"],
] as const;

export type ViewTitle = (typeof VIEWS)[number][0];

/** The link to a view. Its name may end with a number of questions. */
export const viewLink = (page: Page, name: ViewTitle): Locator =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: new RegExp(`^${name}\\b`) });

/** Opens a view by mouse. */
export async function goTo(page: Page, name: ViewTitle): Promise<void> {
  await viewLink(page, name).click();
  await page.waitForURL((url) => url.pathname === `/${name.toLowerCase()}`);
}

/** Waits until the page is connected to its server. */
export const isLive = (page: Page): Promise<void> => connection(page, "Live");

/** Waits for a state of the connection, as the page shows it. */
export const connection = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("status").getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
