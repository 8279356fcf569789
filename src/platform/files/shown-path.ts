import { relative, sep } from "node:path";
import { printable } from "../text/printable.ts";

/** A path on one line, for people. Relative if it is below the working directory, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  const inside = short !== "" && short !== ".." && !short.startsWith(`..${sep}`);
  return printable(inside ? short : path)
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
}

/** `file:line:column`, as far as they are known. */
export function shownPlace(
  { file, line, column }: { file: string; line?: number; column?: number },
  cwd: string,
): string {
  const place = line === undefined ? "" : column === undefined ? `:${line}` : `:${line}:${column}`;
  return `${shownPath(file, cwd)}${place}`;
}
