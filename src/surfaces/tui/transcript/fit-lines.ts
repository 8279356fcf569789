import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { type ChatTheme, withoutStyles } from "../chat-theme.ts";

/** One row: the end of a longer line is replaced by "…". */
export function cutRow(line: string, width: number, theme: ChatTheme): string {
  if (visibleWidth(line) <= width) return line;
  const cut = truncateToWidth(line, width, "…");
  return theme.color ? cut : withoutStyles(cut);
}

/** All rows of a text. */
export function wrapText(text: string, width: number, theme: ChatTheme): string[] {
  return fitLines(wrapTextWithAnsi(text, Math.max(1, width)), width, theme);
}

/** Rows that are never wider than the terminal, in which pi-tui would fail, and that have no styles without colour. */
export function fitLines(lines: readonly string[], width: number, theme: ChatTheme): string[] {
  return lines.map((line) => {
    const text = theme.color ? line : withoutStyles(line);
    if (visibleWidth(text) <= width) return text;
    const cut = truncateToWidth(text, width, "");
    return theme.color ? cut : withoutStyles(cut);
  });
}

/** `lines` below each other, the first after `first`, the others indented as much. */
export function hangingIndent(first: string, lines: readonly string[]): string[] {
  const indent = " ".repeat(visibleWidth(first));
  return lines.map((line, index) => `${index === 0 ? first : indent}${line}`);
}

/** "1 more line", "1,200 more lines". */
export function moreLines(count: number, what = "line"): string {
  return `${count.toLocaleString("en")} more ${what}${count === 1 ? "" : "s"}`;
}
