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

/**
 * Collects what matches a pattern in the text of the page, from now on and each once; a page that is loaded again begins an empty list.
 * Text that is shown for a moment only is collected too: `waitFor` of a locator may look twice a second.
 */
export async function collectShown(page: Page, pattern: RegExp): Promise<() => Promise<string[]>> {
  const collect = `{
    const shown = (window.shownMatches = []);
    const look = () => {
      for (const [match] of (document.body?.textContent ?? "").matchAll(${new RegExp(pattern, "g")}))
        if (!shown.includes(match)) shown.push(match);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    look();
  }`;
  await page.addInitScript(collect);
  await page.evaluate(collect);
  return () => page.evaluate<string[]>("window.shownMatches");
}
