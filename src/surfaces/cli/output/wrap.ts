import { breakableParts, cut, textWidth } from "./text-width.ts";

/**
 * Breaks a text between words, so that each line fits in a number of columns, and keeps its own line breaks. A line that
 * begins with a list mark continues below its text. Commands, code frames and single words are not broken. `hang` is added
 * to the margin of continued lines.
 */
export function wrapped(text: string, columns: number | undefined, margin = "", hang = ""): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), columns, margin, hang));
}

/** The beginning of a text, up to a word, if it has more than this many columns. */
export function excerpt(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const [first = ""] = wrapped(text, columns - 1);
  return `${cut(first, columns - 1).replace(/[\s,;:.…]+$/, "")}…`;
}

/** No column is made narrower, however narrow the terminal is. */
const MIN_COLUMNS = 20;

function wrapLine(line: string, columns: number | undefined, margin: string, hang: string): string[] {
  if (columns === undefined || CODE_FRAME.test(line) || textWidth(margin + line) <= columns) {
    return [(margin + line).trimEnd()];
  }
  const [indent = ""] = /^\s*(?:(?:[-*+•]|\d+[.)])\s+)?/.exec(line) ?? [];
  const hanging = hang + " ".repeat(textWidth(indent));
  const room = Math.max(MIN_COLUMNS, columns - textWidth(margin + hanging));
  return linesOf(unitsOf(line.slice(indent.length)), room).map(
    (text, at) => margin + (at === 0 ? indent : hanging) + text,
  );
}

/** A line of source code with its number, or the marks below it. */
const CODE_FRAME = /^\s*(?:>\s*)?\d*\s*[|│]/;
/** Code in backticks, a command at the end of a sentence, or one word, with the spaces before it. */
const UNIT = /\s*(?:`[^`]+`\S*|(?<=: )(?:toolwright|npm|npx|bun|git|curl) .*$|\S+)/g;

interface Unit {
  readonly text: string;
  /** The spaces before it, if it does not begin a line. */
  readonly gap: string;
}

function unitsOf(text: string): Unit[] {
  return (text.match(UNIT) ?? []).flatMap((found): Unit[] => {
    const word = found.trimStart();
    const gap = found.slice(0, found.length - word.length);
    return breakableParts(word).map((part, at) => ({ text: part, gap: at === 0 ? gap : "" }));
  });
}

function linesOf(units: readonly Unit[], room: number): string[] {
  const lines: string[] = [];
  let width = Number.POSITIVE_INFINITY;
  for (const { text, gap } of units) {
    const more = textWidth(gap) + textWidth(text);
    if (width + more > room) {
      lines.push(text);
      width = textWidth(text);
    } else {
      lines[lines.length - 1] += gap + text;
      width += more;
    }
  }
  return lines;
}
