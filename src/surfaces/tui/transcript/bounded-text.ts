import type { ChatTheme, TextStyle } from "../chat-theme.ts";
import { lastWritten, safeStyled } from "../safe-text.ts";
import { cutRow, fitLines, moreLines, wrapText } from "./fit-lines.ts";

/** Lines of a text that can be shown, and the characters of one of them and of all. */
const MAX_LINES = 2_000;
const MAX_LINE = 4_000;
const MAX_TEXT = 400_000;

interface BoundedTextOptions {
  readonly theme: ChatTheme;
  /** The style of its lines. By default, they keep the colours that they have. */
  readonly style?: TextStyle;
  /** Whether it is the output of a program. Of a progress bar, only the end is shown. */
  readonly isOutput?: boolean;
}

/** A text of any size. Its first lines are prepared once; the rest is only counted. */
export class BoundedText {
  readonly #options: BoundedTextOptions;
  readonly #lines: readonly string[];
  /** The number of lines of the whole text. */
  readonly lineCount: number;

  constructor(text: string, options: BoundedTextOptions) {
    this.#options = options;
    const end = /[\r\n]$/.test(text) ? text.trimEnd().length : text.length;
    const head = headOf(text, end, options.isOutput ?? false);
    this.lineCount = end === 0 ? 0 : head.lines.length + countLines(text, head.end, end);
    this.#lines = head.lines.map((line) => this.#styled(line));
  }

  /** The first lines, each on one row, and how many more there are. */
  collapsed(width: number, maxLines: number): string[] {
    const { theme } = this.#options;
    // A notice for a single line would take as much space as the line.
    const count = this.lineCount === maxLines + 1 ? maxLines + 1 : maxLines;
    const shown = this.#lines.slice(0, count).map((line) => cutRow(line, width, theme));
    const more = this.lineCount - shown.length;
    return more === 0 ? shown : [...shown, this.#notice(`… ${moreLines(more)} (Ctrl-O expands)`, width)];
  }

  /** All lines, wrapped, up to 2,000 rows. */
  expanded(width: number): string[] {
    const { theme } = this.#options;
    const rows: string[] = [];
    let shown = 0;
    for (const line of this.#lines) {
      if (rows.length >= MAX_LINES) break;
      for (const row of wrapText(line, width, theme)) rows.push(row);
      shown += 1;
    }
    const more = this.lineCount - shown;
    return more === 0 ? rows : [...rows, this.#notice(`… ${moreLines(more)}, not shown here`, width)];
  }

  #notice(text: string, width: number): string {
    const { theme } = this.#options;
    return theme.dim(fitLines([text], width, theme)[0] ?? "");
  }

  #styled(line: string): string {
    const { theme, style } = this.#options;
    const safe = safeStyled(line, theme.color && !style).trimEnd();
    return style ? style(safe) : safe;
  }
}

/** The lines that can be shown, and where the next one begins. */
function headOf(
  text: string,
  textEnd: number,
  isOutput: boolean,
): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let at = 0;
  for (let size = 0; at < textEnd && lines.length < MAX_LINES && size < MAX_TEXT; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? textEnd : Math.min(newline, textEnd);
    const whole = text.slice(at, end);
    const line = shortened(isOutput ? lastWritten(whole) : whole);
    lines.push(line);
    size += line.length;
    at = end + 1;
  }
  return { lines, end: at };
}

function shortened(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}…`;
}

function countLines(text: string, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; count += 1) {
    const newline = text.indexOf("\n", at);
    at = newline === -1 ? end : newline + 1;
  }
  return count;
}
