import { decodeEntities } from "./entities.ts";
import { type HtmlToken, scanHtml } from "./scan-html.ts";

/** What nobody reads. Their content goes with them. */
const UNSEEN = new Set("noscript template svg math object canvas audio video select datalist dialog map".split(" "));
/** What leads elsewhere. */
const CHROME = new Set(["nav"]);
/** What stands on lines of its own; those of the second list also with a blank line around. */
const LINES = new Set(
  "div ul ol dl li tr dt dd section article main header footer aside form fieldset option figure figcaption address details summary caption thead tbody tfoot body html".split(
    " ",
  ),
);
const PARAGRAPHS = new Set("p h1 h2 h3 h4 h5 h6 table pre blockquote hr".split(" "));

/** Stands between the cells of a row until the row is written, with tabs. No page has it. */
const NEXT_CELL = "\u001f";

/** A page as somebody reads it: its words, without what they look like. Takes time in proportion to the page, whatever is in it. */
export function htmlToText(html: string): string {
  return readable(html, new Set([...UNSEEN, ...CHROME])) || readable(html, UNSEEN);
}

function readable(html: string, unseen: ReadonlySet<string>): string {
  const page = new Lines();
  let hiddenBy: { name: string; depth: number } | undefined;
  for (const token of scanHtml(html)) {
    if (hiddenBy) {
      if (token.kind === "open" && token.name === hiddenBy.name) hiddenBy.depth++;
      if (token.kind === "close" && token.name === hiddenBy.name && --hiddenBy.depth === 0) hiddenBy = undefined;
      continue;
    }
    if (token.kind === "open" && unseen.has(token.name)) hiddenBy = { name: token.name, depth: 1 };
    else write(page, token);
  }
  return decodeEntities(page.end());
}

function write(page: Lines, token: HtmlToken): void {
  if (token.kind === "text") return page.text(token.text);
  if (token.kind === "raw") {
    if (token.name === "textarea") page.text(token.text);
    return;
  }
  const { name, kind } = token;
  if (name === "pre") page.preformatted(kind === "open");
  if (PARAGRAPHS.has(name)) return page.paragraph();
  if (name === "br" || LINES.has(name)) page.line();
  if (kind === "open" && name === "li") page.text("- ");
  if (kind === "close" && (name === "td" || name === "th")) page.text(NEXT_CELL);
}

/** Puts words into lines, with single spaces and single blank lines; what is preformatted stays as it is. */
class Lines {
  readonly #lines: string[] = [];
  #parts: string[] = [];
  #isBlankDue = false;
  #isPreformatted = false;

  text(text: string): void {
    if (text) this.#parts.push(text);
  }

  preformatted(on: boolean): void {
    this.line();
    this.#isPreformatted = on;
  }

  line(): void {
    const words = this.#parts.join("");
    this.#parts = [];
    const line = this.#isPreformatted ? words.replace(/^\r?\n/, "").trimEnd() : tidy(words);
    if (line.trim() === "") return;
    if (this.#isBlankDue && this.#lines.length > 0) this.#lines.push("");
    this.#isBlankDue = false;
    this.#lines.push(line);
  }

  paragraph(): void {
    this.line();
    this.#isBlankDue = true;
  }

  end(): string {
    this.line();
    return this.#lines.join("\n");
  }
}

function tidy(words: string): string {
  const cells = words.split(NEXT_CELL).map((cell) => cell.replace(/\s+/g, " ").trim());
  return cells.filter((cell) => cell !== "").join("\t");
}
