import { type Component, type Focusable, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Theme } from "../chat-theme.ts";

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

/** Details of a call can be large: the transcript has all of them. */
const MAX_DETAIL_LINES = 12;

/** The lines above what the user chooses or types. */
export function headLines({ title, details = [] }: PanelText, theme: Theme, width: number): string[] {
  const lines = details.flatMap((each) => wrapTextWithAnsi(each, Math.max(1, width - 2)));
  const shown = lines.slice(0, MAX_DETAIL_LINES);
  const more = lines.length > shown.length ? [theme.dim(`… ${lines.length - shown.length} more lines`)] : [];
  return [
    theme.accent("─".repeat(width)),
    ...wrapTextWithAnsi(theme.bold(title), width),
    ...[...shown, ...more].flatMap((line) => wrapTextWithAnsi(`  ${line}`, width)),
  ];
}

/** The line below it. */
export function footLines({ hint }: PanelText, theme: Theme, width: number): string[] {
  return [...wrapTextWithAnsi(theme.dim(hint), width), theme.accent("─".repeat(width))];
}
