import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { type MarkdownBlock, type SplitText, splitMarkdown, toRender } from "../../../platform/text/markdown-blocks.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeText } from "../safe-text.ts";
import { fitLines, wrapText } from "./fit-lines.ts";
import { GrowingLines } from "./growing-lines.ts";

export interface MarkdownOptions {
  readonly theme: ChatTheme;
  /** The lines of code, with styles. */
  readonly highlight: (code: string, language: string) => string[];
  /** Asks for another `rows` after some time. */
  readonly later: (ms: number) => void;
}

/** While a text grows, preparing it takes at most this part of the time. */
const MAX_LOAD = 0.2;
/** Growing code of more characters is highlighted again after a time. */
const SMALL_CODE = 2_000;
const HIGHLIGHT_MS = 200;
/** In narrower terminals, the frame of code is cut. */
const MIN_CODE_WIDTH = 4;

/**
 * Untrusted text in Markdown that may grow. Finished blocks are parsed once. Only the last line of the text is made safe more than
 * once: no escape sequence is longer than its line.
 */
export class MarkdownText {
  readonly #options: MarkdownOptions;
  #text = "";
  /** The lines of the text that are safe already, before and after. */
  #lines = "";
  #safeLines = "";
  #isGrowing = true;
  #split: SplitText | undefined;
  #blocks = new Map<number, BlockRows>();
  #rows: readonly string[] = [];
  #width = 0;
  /** When the rows may be prepared again while the text grows. */
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  set(text: string): void {
    this.#text = text;
  }

  /** The text grows no more. All of it is prepared next. */
  finish(): void {
    this.#isGrowing = false;
  }

  invalidate(): void {
    this.#blocks.clear();
  }

  /** The rows; those of a moment ago if the text grows faster than it can be prepared. */
  rows(width: number): readonly string[] {
    const began = performance.now();
    if (this.#isGrowing && width === this.#width && began < this.#nextAt) {
      this.#options.later(this.#nextAt - began);
      return this.#rows;
    }
    this.#width = width;
    this.#rows = this.#prepare(width);
    const now = performance.now();
    this.#nextAt = now + (now - began) / MAX_LOAD;
    return this.#rows;
  }

  #prepare(width: number): string[] {
    this.#split = splitMarkdown(this.#safeText(), this.#split);
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

  #safeText(): string {
    const end = this.#text.lastIndexOf("\n") + 1;
    const isGrown = this.#text.startsWith(this.#lines);
    const added = safeText(this.#text.slice(isGrown ? this.#lines.length : 0, end));
    this.#safeLines = isGrown ? this.#safeLines + added : added;
    this.#lines = this.#text.slice(0, end);
    return this.#safeLines + safeText(this.#text.slice(end));
  }
}

/** The rows of one block. */
class BlockRows {
  readonly #options: MarkdownOptions;
  readonly #wrapped: GrowingLines;
  #block: MarkdownBlock | undefined;
  #width = 0;
  #rows: readonly string[] = [];
  #highlightedAt = Number.NEGATIVE_INFINITY;
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
    const isSame = isSameKind && text === this.#block?.text && width === this.#width;
    if (isSame && !this.#isProvisional) return this.#rows;
    const canWait = isGrowing && isSameKind && kind === "code" && text.length > SMALL_CODE;
    const waitMs = canWait ? this.#highlightedAt + HIGHLIGHT_MS - performance.now() : 0;
    this.#isProvisional = waitMs > 0;
    if (this.#isProvisional) this.#options.later(waitMs);
    this.#block = block;
    this.#width = width;
    this.#rows = this.#draw(block, width);
    return this.#rows;
  }

  #draw(block: MarkdownBlock, width: number): readonly string[] {
    if (block.kind === "code") return this.#code(block, width);
    return block.kind === "plain" ? this.#plain(block.text, width) : this.#markdown(block.text, width);
  }

  #plain(text: string, width: number): readonly string[] {
    return this.#wrapped.rows(text.split("\n"), width);
  }

  /** As pi-tui draws code within lists. */
  #code({ text, language }: MarkdownBlock, width: number): readonly string[] {
    const { theme } = this.#options;
    const lines = this.#isProvisional ? this.#provisionalLines(text) : this.#highlightedLines(text, language);
    const border = theme.markdown.codeBlockBorder;
    const rows = [
      ...wrapText(border(`\`\`\`${language}`), width, theme),
      ...this.#wrapped.rows(lines, Math.max(1, width - 2)).map((row) => `  ${row}`),
      border("```"),
    ];
    return width < MIN_CODE_WIDTH ? fitLines(rows, width, theme) : rows;
  }

  #highlightedLines(code: string, language: string): readonly string[] {
    this.#highlightedAt = performance.now();
    this.#highlighted = this.#options.highlight(code, language);
    return this.#highlighted;
  }

  /** The lines after the last highlighting are plain. The last highlighted line may have grown since. */
  #provisionalLines(code: string): readonly string[] {
    const settled = this.#highlighted.slice(0, -1);
    return [...settled, ...code.split("\n").slice(settled.length)];
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
      return this.#plain(text, width);
    }
  }
}
