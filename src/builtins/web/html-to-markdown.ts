import { gfm } from "@joplin/turndown-plugin-gfm";
import { createDocument, type Document, type Element } from "@mixmark-io/domino";
import TurndownService from "turndown";

const HIDDEN =
  "script, style, noscript, template, svg, math, iframe, object, embed, canvas, audio, video, head, link, meta, " +
  "button, input:not([type=checkbox]), select, textarea, datalist, dialog, map, [hidden], [aria-hidden=true]";
const CHROME = "nav, [role=navigation], [role=search]";
/** Elements that a cell of a markdown table cannot contain. */
const NOT_IN_A_CELL = "table, ul, ol, h1, h2, h3, h4, h5, h6, hr, blockquote, pre";
const TABLE_PARTS = new Set(["TABLE", "THEAD", "TBODY", "TFOOT", "TR", "TD", "TH", "CAPTION"]);

/**
 * Converts the main content of a page to markdown, with absolute links. The libraries may take long, use much memory or
 * overflow the stack on hostile pages: call it only in a child process.
 */
export function htmlToMarkdown(html: string, url: string): string {
  const page = createDocument(html, true);
  const base = URL.parse(page.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  each(page, HIDDEN, (element) => element.remove());
  const main = contentOf(page);
  each(main, "a", (link) => setLink(link, base));
  each(main, "img", (image) => setImage(image, base));
  return converterFor(main).turndown(withoutClone(main)).trim();
}

/** The main content. Navigation is removed, unless there is nothing else. */
function contentOf(page: Document): Element {
  const mains = page.querySelectorAll("main, [role=main]");
  const [main] = mains.length === 1 ? Array.from(mains) : [];
  const content = main && hasText(main) ? main : page.body;
  const chrome = Array.from(content.querySelectorAll(CHROME));
  const isAllChrome = chrome.length > 0 && !hasText(content, chrome);
  if (!isAllChrome) for (const element of chrome) element.remove();
  return content;
}

function hasText(element: Element, apartFrom: readonly Element[] = []): boolean {
  const lengthOf = (of: Element): number => of.textContent.replace(/\s+/g, "").length;
  const outermost = apartFrom.filter((one) => !apartFrom.some((other) => other !== one && isWithin(one, other)));
  return lengthOf(element) > outermost.reduce((sum, one) => sum + lengthOf(one), 0);
}

function isWithin(element: Element, other: Element): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (at === other) return true;
  return false;
}

/** Links inside the page and to scripts become plain text. The anchor sign beside a heading is removed. */
function setLink(link: Element, base: string): void {
  const href = link.getAttribute("href")?.trim() ?? "";
  if (href.startsWith("#") && link.textContent.trim().length <= 1) return link.remove();
  const url = URL.parse(href, base);
  const leads = url && href !== "" && !href.startsWith("#") && /^(?:https?|mailto|tel|ftp):$/.test(url.protocol);
  if (leads) link.setAttribute("href", url.href);
  else link.removeAttribute("href");
  link.removeAttribute("title");
}

/** Images without alternative text, and data URLs, are removed. */
function setImage(image: Element, base: string): void {
  const url = URL.parse(image.getAttribute("src") ?? "", base);
  const alt = image.getAttribute("alt")?.replace(/\s+/g, " ").trim();
  if (!alt || !url || !/^https?:$/.test(url.protocol)) return image.remove();
  image.setAttribute("src", url.href);
  image.setAttribute("alt", alt);
  image.removeAttribute("title");
}

function converterFor(content: Element): TurndownService {
  const layout = layoutTables(content);
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  service.use(gfm);
  service.addRule("layoutTable", {
    filter: (node: Element) => TABLE_PARTS.has(node.nodeName) && layout.has(tableOf(node)),
    replacement: (text: string) => `\n\n${text}\n\n`,
  });
  service.addRule("preformatted", {
    filter: "pre",
    replacement: (_text: string, node: unknown) => fenced(node as Element),
  });
  service.addRule("oneLineLink", {
    filter: (node: Element) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement: (text: string, node: unknown) => linked(text, node as Element),
  });
  return service;
}

/** Tables whose cells contain more than text are converted cell by cell. */
function layoutTables(content: Element): ReadonlySet<Element | undefined> {
  const layout = new Set<Element | undefined>();
  each(content, "table", (table) => {
    if (table.querySelector(NOT_IN_A_CELL)) layout.add(table);
    // turndown reads `rows` once per cell, and domino computes it each time.
    Object.defineProperty(table, "rows", {
      value: Array.from((table as unknown as { rows: ArrayLike<Element> }).rows),
    });
  });
  return layout;
}

function tableOf(part: Element): Element | undefined {
  for (let at: Element | null = part; at; at = at.parentNode) if (at.nodeName === "TABLE") return at;
  return undefined;
}

function fenced(pre: Element): string {
  const code = pre.textContent.replace(/^\n/, "").trimEnd();
  const classes = `${pre.className} ${pre.querySelector("code")?.className ?? ""}`;
  const language = /(?:language|lang|brush:|highlight-source)-?\s*([\w+#-]+)/.exec(classes)?.[1] ?? "";
  const longest = Math.max(2, ...Array.from(code.matchAll(/^`{3,}/gm), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return code === "" ? "" : `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

function linked(content: string, link: Element): string {
  const text = content.replace(/\s+/g, " ").trim().replace(/^#+ /, "");
  return text === "" ? "" : `[${text}](${link.getAttribute("href")?.replace(/[()]/g, "\\$&")})`;
}

/** Keeps turndown from copying the tree, which is used only once. */
function withoutClone(element: Element): never {
  Object.defineProperty(element, "cloneNode", { value: () => element });
  return element as never;
}

function each(within: Element, selector: string, act: (element: Element) => void): void {
  for (const element of Array.from(within.querySelectorAll(selector))) act(element);
}
