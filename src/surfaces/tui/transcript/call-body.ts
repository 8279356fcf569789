import { type CallView, replacesResult } from "../../../sessions/cards/call-view.ts";
import type { TodoItem } from "../../../sessions/cards/todo-items.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeLine } from "../safe-text.ts";
import { BoundedText } from "./bounded-text.ts";
import { inputFields, inputText } from "./call-text.ts";
import { diffRows } from "./diff-rows.ts";
import { cutRow, fitLines, hangingIndent, moreLines, wrapText } from "./fit-lines.ts";

const COLLAPSED_COMMAND = 4;
const COLLAPSED_ITEMS = 12;
const MAX_ITEMS = 500;
const MAX_ITEM = 2_000;

interface Shape {
  readonly theme: ChatTheme;
  readonly width: number;
  readonly isExpanded: boolean;
}

/** What a card shows of a call between its first row and its result. */
export class CallBody {
  /** The first row, after the name of the tool. */
  readonly summary: string;
  readonly #view: CallView;
  readonly #theme: ChatTheme;
  readonly #command: BoundedText | undefined;
  #rest: BoundedText | undefined;

  constructor(view: CallView, theme: ChatTheme) {
    this.#view = view;
    this.#theme = theme;
    this.#command = view.kind === "command" ? new BoundedText(view.command, { theme, style: theme.accent }) : undefined;
    this.summary = [safeLine(view.title), ...inputFields(view.rest)].join(", ");
  }

  /** Whether the text of a result is shown only in an expanded card. */
  get replacesResult(): boolean {
    return replacesResult(this.#view);
  }

  rows(width: number, isExpanded: boolean): string[] {
    const theme = this.#theme;
    const rows = this.#parts({ theme, width, isExpanded });
    return isExpanded ? [...this.#restRows(width), ...rows] : rows;
  }

  #restRows(width: number): string[] {
    const theme = this.#theme;
    this.#rest ??= new BoundedText(inputText(this.#view.rest), { theme, style: theme.dim });
    return this.#rest.expanded(width);
  }

  #parts(shape: Shape): string[] {
    const view = this.#view;
    if (view.kind === "command") return this.#commandRows(shape);
    if (view.kind === "diff") return diffRows(view.files, shape);
    return view.kind === "todos" ? itemRows(view.items, shape) : [];
  }

  /** The first row of the card has a command of one line. */
  #commandRows({ width, isExpanded }: Shape): string[] {
    const text = this.#command;
    if (!text) return [];
    if (isExpanded) return text.expanded(width);
    return text.lineCount > 1 ? text.collapsed(width, COLLAPSED_COMMAND) : [];
  }
}

const MARKS: Readonly<Record<TodoItem["state"], string>> = { open: "○", active: "▸", done: "✓", cancelled: "✗" };

function itemRows(items: readonly TodoItem[], { theme, width, isExpanded }: Shape): string[] {
  const max = isExpanded ? MAX_ITEMS : COLLAPSED_ITEMS;
  const count = items.length === max + 1 ? max + 1 : max;
  const styles = { open: (text: string) => text, active: theme.accent, done: theme.dim, cancelled: theme.dim };
  const rows = items.slice(0, count).flatMap(({ text, state }) => {
    const line = safeLine(text.slice(0, MAX_ITEM));
    const inner = Math.max(1, width - 2);
    const lines = isExpanded ? wrapText(line, inner, theme) : [cutRow(line, inner, theme)];
    return hangingIndent(`${MARKS[state]} `, lines).map(styles[state]);
  });
  const more = items.length - count;
  const notice = isExpanded
    ? `… ${moreLines(more, "item")}, not shown here`
    : `… ${moreLines(more, "item")} (Ctrl-O expands)`;
  return fitLines(more <= 0 ? rows : [...rows, theme.dim(cutRow(notice, width, theme))], width, theme);
}
