import type { Content } from "../../../core/result.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { attachmentLine } from "./call-text.ts";
import { ChatItem, type ChatView } from "./chat-item.ts";
import { cutLine, wrapText } from "./fit-lines.ts";
import { GrowingLines } from "./growing-lines.ts";
import { type MarkdownOptions, MarkdownText } from "./markdown-text.ts";

export interface ReplyOptions extends MarkdownOptions {
  readonly view: ChatView;
}

/** A message of the model: what it thought, its text in Markdown, and images or files. */
export class ReplyItem extends ChatItem {
  readonly #options: ReplyOptions;
  readonly #text: MarkdownText;
  readonly #thinkingRows: GrowingLines;
  #thinking = "";
  #attachments: readonly string[] = [];
  #isStreamed = true;

  constructor(options: ReplyOptions) {
    super();
    this.#options = options;
    this.#text = new MarkdownText(options);
    const { theme } = options;
    this.#thinkingRows = new GrowingLines((line, width) =>
      wrapText(safeText(line), width, theme).map((row) => theme.dim(theme.italic(row))),
    );
  }

  get isEmpty(): boolean {
    return this.#text.isEmpty && this.#thinking.trim() === "" && this.#attachments.length === 0;
  }

  appendText(text: string): void {
    this.#text.append(text);
    this.changed();
  }

  appendThinking(text: string): void {
    this.#thinking += text;
    this.changed();
  }

  set(text: string, thinking: string, attachments: readonly Exclude<Content, { type: "text" }>[] = []): void {
    this.#text.set(text);
    this.#thinking = thinking;
    this.#attachments = attachments.map(attachmentLine);
    this.changed();
  }

  /** Nothing more is streamed. */
  finish(): void {
    this.#isStreamed = false;
    this.#text.finish();
    this.changed();
  }

  override invalidate(): void {
    this.#text.invalidate();
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    const { theme } = this.#options;
    const thinking = this.#thinking.trim() === "" ? [] : this.#thinkingLines(width);
    const text = this.#text.isEmpty ? [] : this.#text.rows(width);
    const gap = thinking.length > 0 && text.length > 0 ? [""] : [];
    return [...thinking, ...gap, ...text, ...this.#attachments.map((line) => theme.dim(cutLine(line, width, theme)))];
  }

  /** One line, unless thinking is shown: the last line while it is streamed, then the first. */
  #thinkingLines(width: number): string[] {
    const { theme, view } = this.#options;
    if (view.isThinkingShown) return this.#thinkingRows.rows(this.#thinking.trim().split("\n"), width);
    const line = this.#isStreamed ? lastLine(this.#thinking) : firstLine(this.#thinking);
    const row = cutLine(`${this.#isStreamed ? "Thinking" : "Thought"}: ${line}`, width, theme);
    return [theme.dim(theme.italic(row))];
  }
}

const MAX_LINE = 400;

function firstLine(text: string): string {
  const [line = ""] = text.trimStart().slice(0, MAX_LINE).split("\n");
  return safeLine(line);
}

function lastLine(text: string): string {
  return safeLine(text.slice(-MAX_LINE).trimEnd().split("\n").at(-1) ?? "");
}
