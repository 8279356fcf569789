import { printable } from "../../platform/text/printable.ts";

/**
 * Markdown of an untrusted author as Markdown without HTML, links and images. Emphasis, lists, tables and code remain. What a
 * reader sees as a code block or a code span is decided here, not by the renderer: every other backtick is escaped.
 */
export function safeProse(text: string): string {
  const lines = cleanLines(text);
  const safe: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const block = codeBlockAt(lines, at);
    if (block === undefined) {
      safe.push(safeLine(lines[at] ?? ""));
    } else {
      safe.push(fenced(block.code.join("\n"), block.language));
      at = block.last;
    }
  }
  return safe.join("\n");
}

/** Text without markup: it looks as it was written, line by line. */
export function escapedText(text: string): string {
  return cleanLines(text)
    .filter((line) => line.trim() !== "")
    .map((line) => safeWords(line.trim()).replace(/^([#>+=-]|\d+(?=[.)]))/, escapeStart))
    .join("\\\n");
}

/** A code block that its text cannot leave: its fence is longer than any in the text. */
export function fenced(text: string, language = ""): string {
  const lines = cleanLines(text);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join("\n");
}

/** The lines, each below a mark of a quotation. Content in it cannot look like a heading of the document. */
export function quoted(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function cleanLines(text: string): string[] {
  return printable(text.replaceAll("\r\n", "\n").trimEnd()).split("\n");
}

interface CodeBlock {
  readonly code: readonly string[];
  readonly language: string;
  /** The index of the line that closes it. */
  readonly last: number;
}

/** As in Markdown, but in any depth of a list. */
const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;

/** The code block that begins at a line, if the text closes it. */
function codeBlockAt(lines: readonly string[], at: number): CodeBlock | undefined {
  const [, fence = "", language = ""] = OPENING.exec(lines[at] ?? "") ?? [];
  if (fence === "") return undefined;
  const closing = new RegExp(`^[ \t]*${fence[0]}{${fence.length},}[ \t]*$`);
  const last = lines.findIndex((line, index) => index > at && closing.test(line));
  if (last < 0) return undefined;
  return { code: lines.slice(at + 1, last), language: /^[\w+#.-]{1,20}$/.test(language) ? language : "", last };
}

const CODE_SPAN = /^(`+)(?!`).*?[^`]\1(?!`)/;
const OTHER = /^(?:`+|[^`]+)/;

/** One line outside of code blocks. */
function safeLine(line: string): string {
  let safe = "";
  let rest = line;
  while (rest !== "") {
    const [run = rest] = CODE_SPAN.exec(rest) ?? OTHER.exec(rest) ?? [];
    // A span with a tag is escaped, because programs differ in what they take for a span; one with a bar, because a table
    // splits its cells there.
    const isSafe = CODE_SPAN.test(run) && !/[<|]/.test(run);
    safe += isSafe ? run : run.replace(/[\\`[\]]|~{3,}/g, escapeMarks).replace(...ENTITIES);
    rest = rest.slice(run.length);
  }
  return safe;
}

function safeWords(text: string): string {
  return text.replace(/[\\`*_[\]~|]/g, escapeMarks).replace(...ENTITIES);
}

function escapeMarks(marks: string): string {
  return marks.replace(/./g, "\\$&");
}

/** The number of a list item is followed by the character to escape. */
function escapeStart(start: string): string {
  return /\d/.test(start) ? `${start}\\` : `\\${start}`;
}

/** The beginning of a tag, and of an entity. */
const ENTITIES: readonly [RegExp, (character: string) => string] = [
  /<|&(?=[a-z#])/gi,
  (character) => (character === "<" ? "&lt;" : "&amp;"),
];
