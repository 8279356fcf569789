import { relative, sep } from "node:path";
import type { Problem } from "../../core/problem.ts";
import type { Blocked } from "../../discovery/discover.ts";
import type { Output, Terminal } from "./terminal.ts";

/** Prints one JSON document: indented on a terminal, on one line elsewhere. */
export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`);
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

/** Escapes control characters, so that untrusted text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

/** Escapes control characters, except colours: for the output of tools. */
export function coloured(text: string): string {
  const parts = text.replaceAll("\r\n", "\n").split(/(\x1b\[[\d;:]*m)/);
  const shown = parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join("");
  if (parts.length === 1) return shown;
  return shown.endsWith("\n") ? `${shown.slice(0, -1)}\x1b[m\n` : `${shown}\x1b[m`;
}

/** The first non-empty line, with control characters escaped. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== "") ?? "";
  return printable(line.trim().replaceAll("\t", " "));
}

/** Cuts a text to a number of columns, with an ellipsis. */
export function cut(text: string, columns: number | undefined): string {
  const characters = columns === undefined ? [] : [...text];
  if (columns === undefined || characters.length <= columns) return text;
  return `${characters.slice(0, Math.max(0, columns - 1)).join("")}…`;
}

/** Relative if the path is below the working directory, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  const inside = short !== "" && short !== ".." && !short.startsWith(`..${sep}`);
  return printable(inside ? short : path)
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
}

/** `file:line`, or the file if no line is known. */
export function shownPlace({ file, line }: { file: string; line?: number }, cwd: string): string {
  return line === undefined ? shownPath(file, cwd) : `${shownPath(file, cwd)}:${line}`;
}

/** Aligns columns. The last one is cut to the width of the output. */
export function table(rows: readonly (readonly string[])[], columns: number | undefined, gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, index) => (index < row.length - 1 ? cell.padEnd((widths[index] ?? 0) + gap) : cell));
    return cut(cells.join("").trimEnd(), columns);
  });
}

/** Problems, each with its file and line. */
export function problemLines(problems: readonly Problem[], output: Output, cwd: string): string[] {
  if (problems.length === 0) return [];
  const title = problems.length === 1 ? "1 problem:" : `${problems.length} problems:`;
  return [
    styled(output, "red", title),
    ...problems.flatMap((problem) => [
      `  ${shownPlace(problem, cwd)} (${problem.code})`,
      ...indented(problem.message, "    "),
    ]),
  ];
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
    `Read ${one ? "it" : "them"}, and if you agree with what ${one ? "it does" : "they do"}, run: ${printable(first.fix)}`,
  ];
}

/** The lines of a text, each with a margin. */
export function indented(text: string, margin: string): string[] {
  return printable(text)
    .split("\n")
    .map((line) => `${margin}${line}`.trimEnd());
}
