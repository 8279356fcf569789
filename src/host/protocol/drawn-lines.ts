import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** The most lines that code of an author draws at once. */
const MAX_DRAWN_LINES = 2_000;
/** The most characters of one line, with its escape sequences. */
const MAX_DRAWN_LINE = 20_000;
/** The most characters of all lines together. */
const MAX_DRAWN_TEXT = 400_000;

/** Lines of an author's code, cut to the limits above. A value that cannot be converted to a text is an empty line. */
export function boundedLines(lines: readonly unknown[]): string[] {
  const bounded: string[] = [];
  let left = MAX_DRAWN_TEXT;
  for (const line of lines.slice(0, MAX_DRAWN_LINES)) {
    const text = textOf(line).slice(0, MAX_DRAWN_LINE);
    left -= text.length;
    if (left < 0) break;
    bounded.push(text);
  }
  return bounded;
}

/** Whether a value is a list of texts within the limits above. */
export function isDrawnLines(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_DRAWN_LINES) return false;
  let left = MAX_DRAWN_TEXT;
  return value.every((line) => {
    if (typeof line !== "string" || line.length > MAX_DRAWN_LINE) return false;
    left -= line.length;
    return left >= 0;
  });
}

function textOf(line: unknown): string {
  return tryOrUndefined(() => String(line)) ?? "";
}
