import type { Page } from "./playwright.ts";

/** Elements that only markup of a hostile text can have added, and addresses that the page must not have. */
const INJECTED = `(() => {
  const found = [];
  const report = (element) => found.push(element.outerHTML.slice(0, 200));
  const addedTags = "iframe, object, embed, base, meta[http-equiv], style, marquee, form[action], audio, video, image, foreignObject, animate";
  document.querySelectorAll(addedTags).forEach(report);
  document.querySelectorAll("script, link").forEach((element) => {
    const address = element.src || element.href;
    if (!address || new URL(address).origin !== location.origin) report(element);
  });
  document.querySelectorAll("img, source, input[type=image]").forEach((element) => {
    if (!/^(data:image\\/(png|jpeg|gif|webp)[;,]|blob:)/.test(element.src)) report(element);
  });
  document.querySelectorAll("a[href], area[href], [*|href]").forEach((element) => {
    const href = element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "";
    if (!["http:", "https:", "mailto:", "blob:", "vscode:"].includes(new URL(href, location.href).protocol)) report(element);
    else if (new URL(href, location.href).origin !== location.origin && /^http/.test(href) && !/noopener/.test(element.rel)) report(element);
  });
  for (const element of document.querySelectorAll("*"))
    for (const { name, value } of element.attributes)
      if (/^on/i.test(name) || (name === "style" && /url\\(|expression/.test(value)) || name === "srcdoc") report(element);
  return found;
})()`;

/** Opens all closed parts of the page: details, trees, cards. Parts that appear are opened too, for a limited number of rounds. */
const OPEN_ALL = `(async () => {
  for (let round = 0; round < 6; round++) {
    const closed = document.querySelectorAll("details:not([open]) > summary, main [aria-expanded=false]:not([aria-haspopup])");
    const more = [...document.querySelectorAll("main button")].filter((button) => /^(…? ?show (all|more|the whole)|more\\b)/i.test(button.textContent.trim()));
    if (closed.length + more.length === 0) break;
    for (const element of [...closed, ...more].slice(0, 400)) element.click();
    await new Promise((done) => setTimeout(done, 100));
  }
})()`;

/** All text of the page that a person can see or get read: also values, placeholders, options and titles. */
const ALL_TEXT = `[document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((element) => [
  element.value, element.placeholder, element.title, element.getAttribute("aria-label"), element.tagName === "OPTION" ? element.textContent : "",
])].filter((text) => typeof text === "string").join("\\n")`;

/** Elements and addresses in the page that come from markup of a hostile text. Must be empty. */
export const injectedElements = (page: Page): Promise<string[]> => page.evaluate<string[]>(INJECTED);

/** Opens all closed parts of the page. */
export const openAllParts = (page: Page): Promise<void> => page.evaluate<void>(OPEN_ALL);

/** The places whose hostile text the page shows: see `hostile`. */
export async function shownPlaces(page: Page): Promise<string[]> {
  const text = await page.evaluate<string>(ALL_TEXT);
  return [...new Set([...text.matchAll(/AT-([a-z-]+[a-z])/g)].map(([, place = ""]) => place))].sort();
}
