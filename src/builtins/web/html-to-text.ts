import { tokenizeHtml } from "./tokenize-html.ts";

/** Elements that are left out with their content. */
const HIDDEN = new Set(
  "script style title iframe xmp noembed noframes noscript template svg math object canvas audio video select datalist dialog map".split(
    " ",
  ),
);
const NAVIGATION = new Set(["nav"]);
/** Elements that begin and end a line, and those that also have a blank line around them. */
const LINES = new Set(
  "div ul ol dl li tr dt dd section article main header footer aside form fieldset option figure figcaption address details summary caption thead tbody tfoot body html".split(
    " ",
  ),
);
const PARAGRAPHS = new Set("p h1 h2 h3 h4 h5 h6 table pre blockquote hr".split(" "));

/** Separates the cells of a row until the row is written with tabs. Pages do not contain this character. */
const NEXT_CELL = "\u001f";

/** The text of a page without its formatting. Takes time in proportion to the length of the page. */
export function htmlToText(html: string): string {
  return textWithout(new Set([...HIDDEN, ...NAVIGATION]), html) || textWithout(HIDDEN, html);
}

function textWithout(hidden: ReadonlySet<string>, html: string): string {
  const page = new Lines();
  let hiddenBy: { name: string; depth: number } | undefined;
  tokenizeHtml(html, {
    open(name) {
      if (hiddenBy?.name === name) hiddenBy.depth++;
      else if (!hiddenBy && hidden.has(name)) hiddenBy = { name, depth: 1 };
      else if (!hiddenBy) open(page, name);
    },
    close(name) {
      if (!hiddenBy) close(page, name);
      else if (hiddenBy.name === name && --hiddenBy.depth === 0) hiddenBy = undefined;
      return true;
    },
    text(text) {
      if (!hiddenBy) page.text(text);
    },
  });
  return page.end();
}

function open(page: Lines, name: string): void {
  if (name === "pre") page.preformatted(true);
  startLine(page, name);
  if (name === "li") page.text("- ");
}

function close(page: Lines, name: string): void {
  if (name === "pre") page.preformatted(false);
  startLine(page, name);
  if (name === "td" || name === "th") page.text(NEXT_CELL);
}

function startLine(page: Lines, name: string): void {
  if (PARAGRAPHS.has(name)) page.paragraph();
  else if (name === "br" || LINES.has(name)) page.line();
}

/** Collects lines with single spaces and single blank lines. Preformatted text keeps its spaces. */
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
    const content = this.#parts.join("");
    this.#parts = [];
    const line = this.#isPreformatted ? content.replace(/^\r?\n/, "").trimEnd() : tidy(content);
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
    return this.#lines.join("\n").replaceAll(NO_BREAK_SPACE, " ").replaceAll(SOFT_HYPHEN, "");
  }
}

const NO_BREAK_SPACE = "\u00a0";
const SOFT_HYPHEN = "\u00ad";

/** A no-break space is neither joined with other spaces nor removed at the ends. */
function tidy(content: string): string {
  const cells = content.split(NEXT_CELL).map((cell) => cell.replace(/[ \t\n\f\r]+/g, " ").replace(/^ | $/g, ""));
  return cells.filter((cell) => cell !== "").join("\t");
}
