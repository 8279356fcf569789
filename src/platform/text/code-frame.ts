/** A position in a source text. Both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines before and after the marked one. */
const AROUND = 2;
const MAX_WIDTH = 100;

/**
 * The lines around a position, with line numbers and a caret below the position. Long lines are cut around the caret, and
 * tabs and control characters are replaced by spaces, so that the caret is in the right column of a terminal.
 */
export function codeFrame(source: string, { line, column }: Position): string {
  const lines = source.split(/\r?\n/);
  if (line < 1 || line > lines.length) return "";
  // The text after the last line break is a line only if the position is there.
  if (lines.at(-1) === "" && line < lines.length) lines.pop();
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const start = Math.max(0, column - Math.ceil(MAX_WIDTH * 0.75));
  const gutter = String(last).length;
  const rows: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = shown(lines[number - 1] ?? "", start);
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${text}`.trimEnd());
    if (number === line) rows.push(`  ${" ".repeat(gutter)} | ${" ".repeat(Math.max(0, column - 1 - start))}^`);
  }
  return rows.join("\n");
}

function shown(line: string, start: number): string {
  return line.slice(start, start + MAX_WIDTH).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ");
}

/** The position of an offset in a text. */
export function positionAt(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
