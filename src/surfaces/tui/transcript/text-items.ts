import { type Content, textOf } from "../../../core/result.ts";
import type { QuestionItem } from "../../../sessions/log/session-item.ts";
import type { NoticeKind } from "../chat-actions.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeLine } from "../safe-text.ts";
import { BoundedText } from "./bounded-text.ts";
import { attachmentRow } from "./call-text.ts";
import { ChatItem, type ChatView } from "./chat-item.ts";
import { cutRow, fitLines, hangingIndent } from "./fit-lines.ts";
import { type MarkdownOptions, MarkdownText } from "./markdown-text.ts";

/** A long prompt, such as one with a pasted file, is collapsed. */
const PROMPT_LINES = 20;

/** A message of the user. */
export class PromptCard extends ChatItem {
  readonly #theme: ChatTheme;
  readonly #view: ChatView;
  readonly #text: BoundedText;
  readonly #attachments: readonly string[];

  constructor(content: readonly Content[], theme: ChatTheme, view: ChatView) {
    super();
    this.#theme = theme;
    this.#view = view;
    this.#text = new BoundedText(textOf(content), { theme, style: theme.bold });
    this.#attachments = content.filter((part) => part.type !== "text").map(attachmentRow);
  }

  protected override draw(width: number): readonly string[] {
    const inner = Math.max(1, width - 2);
    const isShort = this.#view.isExpanded || this.#text.lineCount <= PROMPT_LINES;
    const text = isShort ? this.#text.expanded(inner) : this.#text.collapsed(inner, PROMPT_LINES);
    const attachments = this.#attachments.map((line) => this.#theme.dim(cutRow(line, inner, this.#theme)));
    return fitLines(hangingIndent(this.#theme.accent("❯ "), [...text, ...attachments]), width, this.#theme);
  }
}

/** A sentence of the chat itself. */
export class NoticeItem extends ChatItem {
  readonly #text: BoundedText;

  constructor(text: string, kind: NoticeKind, theme: ChatTheme) {
    super();
    const style = { info: theme.dim, warning: theme.warning, error: theme.error }[kind];
    this.#text = new BoundedText(text, { theme, style });
  }

  protected override draw(width: number): readonly string[] {
    return this.#text.expanded(width);
  }
}

/** Text in Markdown that is not part of the session. */
export class MarkdownItem extends ChatItem {
  readonly #text: MarkdownText;

  constructor(text: string, options: MarkdownOptions) {
    super();
    this.#text = new MarkdownText(options);
    this.#text.set(text);
    this.#text.finish();
  }

  override invalidate(): void {
    this.#text.invalidate();
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    return this.#text.rows(width);
  }
}

/** A question to the user, and its answer. */
export class QuestionCard extends ChatItem {
  override readonly hasGap = false;
  readonly #theme: ChatTheme;
  #item: QuestionItem;

  constructor(item: QuestionItem, theme: ChatTheme) {
    super();
    this.#item = item;
    this.#theme = theme;
  }

  override show(item: QuestionItem): void {
    this.#item = item;
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    const { tool, reason } = this.#item.question;
    const theme = this.#theme;
    const asked = `${theme.warning("?")} ${safeLine(`${tool}: ${reason}`.slice(0, 1_000))}`;
    const answered = this.#item.state === "open" ? [] : [`  ${theme.dim(answerText(this.#item))}`];
    return fitLines(
      [asked, ...answered].map((line) => cutRow(line, width, theme)),
      width,
      theme,
    );
  }
}

function answerText({ question, answer }: QuestionItem): string {
  if (!answer) return "Not answered.";
  if (answer.withdrawn) return "The question was withdrawn.";
  const { allowed, remember, reason, value } = answer;
  if (question.kind === "dialog") {
    if (!allowed) return "Closed without an answer.";
    if (typeof value === "boolean") return value ? "Answered: yes" : "Answered: no";
    return `Answered: ${safeLine(String(value ?? "").slice(0, 1_000))}`;
  }
  if (!allowed) return reason ? `Refused: ${safeLine(reason.slice(0, 1_000))}` : "Refused.";
  if (remember === undefined) return "Allowed once.";
  return remember === "session" ? "Allowed for this session." : "Always allowed.";
}
