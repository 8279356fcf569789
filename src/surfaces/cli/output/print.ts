import type { Blocked } from "../../../catalog/discovery/tool-file.ts";
import type { Problem } from "../../../core/problem.ts";
import { shownPath, shownPlace } from "../../../platform/files/shown-path.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import { firstLine, printable, printableJson } from "../../../platform/text/printable.ts";
import type { Output, Terminal } from "./terminal.ts";
import { padded, textWidth } from "./text-width.ts";
import { wrapped } from "./wrap.ts";

export { firstLine, printable, shownPath, shownPlace };

/** Prints one JSON document: indented on a terminal, on one line elsewhere. A pipe may lead to a terminal too. */
export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${printableJson(value, stdout.isTTY ? 2 : undefined)}\n`);
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow";

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Styles the text if the output supports it. */
export function styled(output: Output, style: Style, text: string): string {
  const [on, off] = CODES[style];
  return output.colour && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text;
}

/** Escapes control characters, except colours: for the output of tools. */
export function coloured(text: string): string {
  const parts = text.replaceAll("\r\n", "\n").split(/(\x1b\[[\d;:]*m)/);
  const shown = parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join("");
  if (parts.length === 1) return shown;
  return shown.endsWith("\n") ? `${shown.slice(0, -1)}\x1b[m\n` : `${shown}\x1b[m`;
}

/** A narrower last column stands below the others. */
const MIN_LAST_COLUMN = 28;

/**
 * Aligns columns. The last one is wrapped on words, or stands below the others if they leave it no room: in one row, or in
 * all of them.
 */
export function table(rows: readonly (readonly string[])[], columns: number | undefined, margin = ""): string[] {
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - margin.length;
  const widths = columnWidths(rows, room);
  const before = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const isAligned = room - before >= MIN_LAST_COLUMN;
  const below = isAligned ? " ".repeat(before) : "    ";
  return rows.flatMap((row) => {
    const cells = row.slice(0, -1);
    const fits = isAligned && cells.every((cell, at) => textWidth(cell) <= (widths[at] ?? 0));
    const [first = "", ...more] = wrapped(row.at(-1) ?? "", columns, margin + below);
    if (!fits)
      return [...wrapped(cells.join(GAP), columns, margin, GAP), first, ...more].filter((line) => line.trim() !== "");
    const left = cells.map((cell, at) => padded(cell, widths[at] ?? 0) + GAP).join("");
    return [(margin + left + first.slice((margin + below).length)).trimEnd(), ...more];
  });
}

const GAP = "  ";

/** The widths of all columns but the last. On a terminal, a cell of more than a third of the width does not count. */
function columnWidths(rows: readonly (readonly string[])[], room: number): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.slice(0, -1).entries()) {
      const width = textWidth(cell);
      widths[at] = Math.max(widths[at] ?? 0, width > Math.max(room / 3, MIN_COUNTED) ? 0 : width);
    }
  }
  return widths;
}

const MIN_COUNTED = 12;

/** Problems, each with its file and line. */
export function problemLines(problems: readonly Problem[], output: Output, cwd: string): string[] {
  if (problems.length === 0) return [];
  const title = `${countText(problems.length, "problem")}:`;
  return [
    styled(output, "red", title),
    ...problems.flatMap((problem) => [
      `  ${shownPlace(problem, cwd)} (${problem.code})`,
      ...problemText(problem, "    ", output),
    ]),
  ];
}

/** The message of a problem, and the lines of the source, which are not wrapped. */
export function problemText({ message, frame }: Problem, margin: string, output: Output): string[] {
  return [...indented(message, margin, output.columns), ...(frame === undefined ? [] : indented(frame, margin))];
}

/** The files of an untrusted project, and the command that trusts it. */
export function blockedLines(blocked: readonly Blocked[], output: Output, cwd: string): string[] {
  const files = blocked.flatMap((each) => each.files);
  const [first] = blocked;
  if (!first) return [];
  const one = files.length === 1;
  const title = `${files.length} tool file${one ? "" : "s"} not run: this project is not trusted.`;
  return [
    styled(output, "yellow", title),
    ...files.slice(0, 20).map((file) => `  ${shownPath(file, cwd)}`),
    ...(files.length > 20 ? [`  … and ${files.length - 20} more`] : []),
    ...indented(
      `Read ${one ? "it" : "them"}, and if you agree with what ${one ? "it does" : "they do"}, run: ${first.fix}`,
      "",
      output.columns,
    ),
  ];
}

/** The lines of a text, each with a margin, wrapped to the width of the output. */
export function indented(text: string, margin: string, columns?: number, hang?: string): string[] {
  return wrapped(printable(text), columns, margin, hang);
}
