import { type Component, type Focusable, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { ChatTheme } from "../chat-theme.ts";

/** What stands in the place of the input while the user is asked something. */
export interface Panel extends Component, Focusable {
  handleInput(data: string): void;
}

/** The text above the choices or the input of a panel: a title, and details that are cut after some lines. */
export interface PanelText {
  readonly title: string;
  /** Safe text, one paragraph per element. */
  readonly details?: readonly string[];
  /** The keys of the panel, shown below it. */
  readonly hint: string;
}

/** Titles and details can be large: the transcript has all of them. */
const MAX_TITLE_LINES = 6;
const MAX_DETAIL_LINES = 12;

/** The lines above what the user chooses or types. */
export function headLines({ title, details = [] }: PanelText, theme: ChatTheme, width: number): string[] {
  const lines = details.flatMap((each) => wrapTextWithAnsi(each, Math.max(1, width - 2)));
  return [
    theme.accent("─".repeat(width)),
    ...cut(wrapTextWithAnsi(theme.bold(title), width), MAX_TITLE_LINES, theme),
    ...cut(lines, MAX_DETAIL_LINES, theme).flatMap((line) => wrapTextWithAnsi(`  ${line}`, width)),
  ];
}

function cut(lines: readonly string[], max: number, theme: ChatTheme): readonly string[] {
  return lines.length <= max ? lines : [...lines.slice(0, max), theme.dim(`… ${lines.length - max} more lines`)];
}

/** The line below it. */
export function footLines({ hint }: PanelText, theme: ChatTheme, width: number): string[] {
  return [...wrapTextWithAnsi(theme.dim(hint), width), theme.accent("─".repeat(width))];
}
