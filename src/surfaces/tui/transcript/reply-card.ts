import type { ReplyItem } from "../../../sessions/log/session-item.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { attachmentRow } from "./call-text.ts";
import { ChatItem, type ChatView } from "./chat-item.ts";
import { cutRow, wrapText } from "./fit-lines.ts";
import { GrowingLines } from "./growing-lines.ts";
import { type MarkdownOptions, MarkdownText } from "./markdown-text.ts";

export interface ReplyOptions extends MarkdownOptions {
  readonly view: ChatView;
}

/** A message of the model: what it thought, its text in Markdown, and images or files. */
export class ReplyCard extends ChatItem {
  readonly #options: ReplyOptions;
  readonly #text: MarkdownText;
  readonly #thinkingRows: GrowingLines;
  #item: ReplyItem;

  constructor(item: ReplyItem, options: ReplyOptions) {
    super();
    this.#options = options;
    this.#text = new MarkdownText(options);
    this.#item = item;
    this.show(item);
    const { theme } = options;
    this.#thinkingRows = new GrowingLines((line, width) =>
      wrapText(safeText(line), width, theme).map((row) => theme.dim(theme.italic(row))),
    );
  }

  override show(item: ReplyItem): void {
    this.#item = item;
    this.#text.set(item.text);
    if (item.state !== "streaming") this.#text.finish();
    this.changed();
  }

  override invalidate(): void {
    this.#text.invalidate();
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    const { theme } = this.#options;
    const thinking = this.#item.thinking.trim() === "" ? [] : this.#thinkingLines(width);
    const text = this.#text.rows(width);
    const gap = thinking.length > 0 && text.length > 0 ? [""] : [];
    const attachments = this.#item.attachments.map((part) => theme.dim(cutRow(attachmentRow(part), width, theme)));
    return [...thinking, ...gap, ...text, ...attachments];
  }

  /** One line, unless thinking is shown: the last line while it is streamed, then the first. */
  #thinkingLines(width: number): string[] {
    const { theme, view } = this.#options;
    const { thinking, state } = this.#item;
    if (view.isThinkingShown) return this.#thinkingRows.rows(thinking.trim().split("\n"), width);
    const line = state === "streaming" ? `Thinking: ${lastLine(thinking)}` : `Thought: ${firstLine(thinking)}`;
    return [theme.dim(theme.italic(cutRow(line, width, theme)))];
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
