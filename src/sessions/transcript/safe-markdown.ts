import { printable } from "../../platform/text/printable.ts";

/**
 * Markdown of an untrusted author as Markdown without HTML, links and images. Emphasis, lists, tables and code remain. What a
 * reader sees as a code block or a code span is decided here, not by the renderer: every other backtick is escaped. Takes linear time,
 * as all functions of this file do.
 */
export function safeProse(text: string): string {
  const lines = cleanLines(text);
  const ends = new CodeEnds(lines);
  const safe: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const block = codeBlockAt(line, at, ends);
    if (block === undefined) {
      safe.push(safeLine(line));
    } else {
      safe.push(fenced(lines.slice(at + 1, block.last).join("\n"), block.language));
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
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
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
  readonly language: string;
  /** The index of the line that closes it. */
  readonly last: number;
}

/** As in Markdown, but in any depth of a list. */
const OPENING = /^[ \t]*(`{3,}|~{3,})([^`]*)$/;
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

interface CodeEnd {
  readonly line: number;
  /** The length of its fence, and that of the longest one from there on. */
  readonly length: number;
  longest: number;
}

/** The lines of a text that could close a code block, by the character of their fence. */
class CodeEnds {
  readonly #ends = new Map<string, CodeEnd[]>();
  readonly #next = new Map<string, number>();

  constructor(lines: readonly string[]) {
    for (const [line, text] of lines.entries()) {
      const { 0: character = "", length } = CLOSING.exec(text)?.[1] ?? "";
      if (length === 0) continue;
      const ends = this.#ends.get(character) ?? [];
      this.#ends.set(character, ends);
      ends.push({ line, length, longest: length });
    }
    for (const ends of this.#ends.values()) {
      let longest = 0;
      for (const end of ends.toReversed()) {
        longest = Math.max(longest, end.length);
        end.longest = longest;
      }
    }
  }

  /** The first line after another that closes a fence. To be called with ascending lines, each after the line that was found before. */
  after(line: number, { 0: character = "", length }: string): number | undefined {
    const ends = this.#ends.get(character) ?? [];
    let at = this.#next.get(character) ?? 0;
    while ((ends[at]?.line ?? Number.POSITIVE_INFINITY) <= line) at += 1;
    this.#next.set(character, at);
    // Without this, the search could go on to the end for every fence.
    if ((ends[at]?.longest ?? 0) < length) return undefined;
    while ((ends[at]?.length ?? length) < length) at += 1;
    return ends[at]?.line;
  }
}

/** The code block that begins at a line, if the text closes it. */
function codeBlockAt(line: string, at: number, ends: CodeEnds): CodeBlock | undefined {
  const [, fence, info = ""] = OPENING.exec(line) ?? [];
  if (fence === undefined) return undefined;
  const last = ends.after(at, fence);
  const [, language = ""] = /^[ \t]*([\w+#.-]{1,20})(?=\s|$)/.exec(info) ?? [];
  return last === undefined ? undefined : { language, last };
}

/** One line outside of code blocks. */
function safeLine(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  if (runs.length === 0) return safeText(line);
  let safe = "";
  let copied = 0;
  for (const span of codeSpans(runs)) {
    const code = line.slice(span.start, span.end);
    // A span with a tag is escaped, because programs differ in what they take for a span; one with a bar, because a table
    // splits its cells there.
    safe += safeText(line.slice(copied, span.start)) + (/[<|]/.test(code) ? safeText(code) : code);
    copied = span.end;
  }
  return safe + safeText(line.slice(copied));
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** From each run of backticks to the next one of the same length. */
function codeSpans(runs: readonly TextRange[]): TextRange[] {
  const next = new Map<number, number>();
  const closing = runs
    .map((_, index) => runs.length - 1 - index)
    .map((index) => {
      const { start, end } = runs[index] as TextRange;
      const found = next.get(end - start);
      next.set(end - start, index);
      return found;
    })
    .reverse();
  const spans: TextRange[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const last = closing[at];
    if (last === undefined) continue;
    spans.push({ start: (runs[at] as TextRange).start, end: (runs[last] as TextRange).end });
    at = last;
  }
  return spans;
}

function safeText(text: string): string {
  return text
    .replace(/[\\`[\]]/g, "\\$&")
    .replace(/~{3,}/g, escapeMarks)
    .replace(...ENTITIES);
}

function safeWords(text: string): string {
  return text.replace(/[\\`*_[\]~|]/g, "\\$&").replace(...ENTITIES);
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
