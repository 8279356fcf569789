import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { type MarkdownBlock, type SplitText, splitMarkdown, toRender } from "../../../core/markdown-blocks.ts";
import { safeText } from "../safe-text.ts";
import type { Theme } from "../theme.ts";
import { fitLines, wrapText } from "./fit-lines.ts";
import { GrowingLines } from "./growing-lines.ts";

export interface MarkdownOptions {
  readonly theme: Theme;
  /** The lines of code, with styles. */
  readonly highlight: (code: string, language: string) => string[];
  /** Asks for another `rows` after some time. */
  readonly later: (ms: number) => void;
}

/** A last block of this size is parsed quickly enough for every frame. */
const SMALL_BLOCK = 2_000;
/** While a larger last block grows, it is parsed again, and code is highlighted again, after this time. */
const LARGE_BLOCK_MS = 200;

/**
 * Untrusted text in Markdown that may grow. Finished blocks are parsed once. Only the last line of the text is made safe more than
 * once: no escape sequence is longer than its line.
 */
export class MarkdownText {
  readonly #options: MarkdownOptions;
  #finishedLines = "";
  #lastLine = "";
  #isGrowing = true;
  #split: SplitText | undefined;
  #blocks = new Map<number, BlockRows>();

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#lastLine.trim() === "" && this.#finishedLines.trim() === "";
  }

  append(text: string): void {
    this.#lastLine += text;
    if (!text.includes("\n")) return;
    const end = this.#lastLine.lastIndexOf("\n") + 1;
    this.#finishedLines += safeText(this.#lastLine.slice(0, end));
    this.#lastLine = this.#lastLine.slice(end);
  }

  set(text: string): void {
    this.#finishedLines = "";
    this.#lastLine = "";
    this.append(text);
  }

  /** The text grows no more. */
  finish(): void {
    this.#isGrowing = false;
  }

  invalidate(): void {
    this.#blocks.clear();
  }

  rows(width: number): string[] {
    const text = this.#finishedLines + safeText(this.#lastLine);
    this.#split = splitMarkdown(text, this.#split);
    const blocks = toRender(this.#split);
    const before = this.#blocks;
    this.#blocks = new Map();
    const rows: string[] = [];
    for (const [at, block] of blocks.entries()) {
      const shown = before.get(block.start) ?? new BlockRows(this.#options);
      this.#blocks.set(block.start, shown);
      const isGrowing = this.#isGrowing && at === blocks.length - 1;
      if (at > 0) rows.push("");
      for (const row of shown.rows(block, width, isGrowing)) rows.push(row);
    }
    return rows;
  }
}

/** The rows of one block. */
class BlockRows {
  readonly #options: MarkdownOptions;
  readonly #wrapped: GrowingLines;
  #block: MarkdownBlock | undefined;
  #width = 0;
  #isGrowing = true;
  #rows: readonly string[] = [];
  #parsedAt = Number.NEGATIVE_INFINITY;
  #highlighted: readonly string[] = [];
  /** Whether the last lines of code are not highlighted yet. */
  #isProvisional = false;

  constructor(options: MarkdownOptions) {
    this.#options = options;
    this.#wrapped = new GrowingLines((line, width) => wrapText(line, width, options.theme));
  }

  rows(block: MarkdownBlock, width: number, isGrowing: boolean): readonly string[] {
    const { kind, text, language } = block;
    const isSameKind = kind === this.#block?.kind && language === this.#block.language;
    const isSame = isSameKind && width === this.#width && text === this.#block?.text;
    if (isSame && isGrowing === this.#isGrowing && !this.#isProvisional) return this.#rows;
    const canWait = isGrowing && text.length > SMALL_BLOCK && isSameKind && width === this.#width;
    const waitMs = canWait ? this.#parsedAt + LARGE_BLOCK_MS - performance.now() : 0;
    if (waitMs > 0) this.#options.later(waitMs);
    if (waitMs > 0 && kind === "markdown") return this.#rows;
    this.#isProvisional = waitMs > 0;
    this.#rows = this.#draw(block, width, this.#isProvisional);
    this.#block = block;
    this.#width = width;
    this.#isGrowing = isGrowing;
    return this.#rows;
  }

  #draw(block: MarkdownBlock, width: number, canWait: boolean): readonly string[] {
    if (!canWait) this.#parsedAt = performance.now();
    if (block.kind === "code") return this.#code(block, width, canWait);
    if (block.kind === "plain") return this.#wrapped.rows(block.text.split("\n"), width);
    return this.#markdown(block.text, width);
  }

  /** As pi-tui draws code within lists. */
  #code({ text, language }: MarkdownBlock, width: number, canWait: boolean): readonly string[] {
    const { theme, highlight } = this.#options;
    if (!canWait) this.#highlighted = highlight(text, language);
    // Lines that came after the last highlighting. The last highlighted line may have grown since.
    const settled = canWait ? this.#highlighted.slice(0, -1) : this.#highlighted;
    const lines = canWait ? [...settled, ...text.split("\n").slice(settled.length)] : settled;
    const border = theme.markdown.codeBlockBorder;
    return [
      ...wrapText(border(`\`\`\`${language}`), width, theme),
      ...this.#wrapped.rows(lines, Math.max(1, width - 2)).map((row) => `  ${row}`),
      border("```"),
    ];
  }

  #markdown(text: string, width: number): readonly string[] {
    const { theme, highlight } = this.#options;
    const codeTheme: MarkdownTheme = { ...theme.markdown, highlightCode: (code, lang = "") => highlight(code, lang) };
    try {
      const rows = new Markdown(text, 0, 0, codeTheme).render(width);
      return fitLines(
        rows.map((row) => row.trimEnd()),
        width,
        theme,
      );
    } catch {
      // The parser overflows its stack for some texts.
      return this.#wrapped.rows(text.split("\n"), width);
    }
  }
}
