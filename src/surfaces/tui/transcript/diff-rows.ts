import type { DiffLine, FileDiff } from "../../../platform/text/line-diff.ts";
import type { ChatTheme, TextStyle } from "../chat-theme.ts";
import { safeLine } from "../safe-text.ts";
import { cutRow, fitLines, moreLines, wrapText } from "./fit-lines.ts";

/** Lines of a collapsed diff; rows of an expanded one; characters of a line. */
const COLLAPSED_LINES = 16;
const MAX_ROWS = 2_000;
const MAX_LINE = 4_000;

/** The changed lines of files. Several files each have a row with their name. */
export function diffRows(
  files: readonly FileDiff[],
  { theme, width, isExpanded }: { readonly theme: ChatTheme; readonly width: number; readonly isExpanded: boolean },
): string[] {
  const isNamed = files.length > 1;
  const all = files.reduce((sum, { lines, omitted }) => sum + lines.length + omitted + (isNamed ? 1 : 0), 0);
  // A notice for a single line would take as much space as the line.
  const max = isExpanded ? MAX_ROWS : all === COLLAPSED_LINES + 1 ? all : COLLAPSED_LINES;
  const lines = files.slice(0, max).flatMap((file) => fileLines(file, isNamed, theme, max));
  const rows: string[] = [];
  let shown = 0;
  for (const line of lines) {
    if (rows.length >= max) break;
    rows.push(...rowsOf(line, { theme, width, isExpanded }));
    shown += 1;
  }
  if (shown === all) return rows;
  const notice = isExpanded
    ? `… ${moreLines(all - shown)}, not shown here`
    : `… ${moreLines(all - shown)} (Ctrl-O expands)`;
  return [...rows, ...fitLines([theme.dim(cutRow(notice, width, theme))], width, theme)];
}

interface ShownLine {
  readonly first: string;
  readonly text: string;
  readonly style: TextStyle;
}

/** At most `max` lines, and the name. */
function fileLines({ path, lines }: FileDiff, isNamed: boolean, theme: ChatTheme, max: number): ShownLine[] {
  const digits = String(lines.reduce((most, { line = 0 }) => Math.max(most, line), 0)).length;
  const hasNumbers = lines.some(({ line }) => line !== undefined);
  const name = { first: "", text: safeLine(path.slice(0, MAX_LINE)), style: theme.bold };
  const shown = lines.slice(0, max).map(({ kind, text, line }) => {
    const number = hasNumbers ? `${String(line ?? "").padStart(digits)} ` : "";
    return { first: `${number}${SIGNS[kind]} `, text: safeLine(text.slice(0, MAX_LINE)), style: styleOf(kind, theme) };
  });
  return isNamed ? [name, ...shown] : shown;
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "-", gap: "⋮" };

function styleOf(kind: DiffLine["kind"], theme: ChatTheme): TextStyle {
  return { same: (text: string) => text, added: theme.success, removed: theme.error, gap: theme.dim }[kind];
}

function rowsOf(
  { first, text, style }: ShownLine,
  { theme, width, isExpanded }: { readonly theme: ChatTheme; readonly width: number; readonly isExpanded: boolean },
): string[] {
  const inner = Math.max(1, width - first.length);
  const parts = isExpanded ? wrapText(text, inner, theme) : [cutRow(text, inner, theme)];
  const rows = (parts.length === 0 ? [""] : parts).map((part, index) => {
    const start = index === 0 ? first : " ".repeat(first.length);
    return style(`${start}${part}`.trimEnd());
  });
  return fitLines(rows, width, theme);
}
