import { isAbsolute, relative, sep } from "node:path";
import { findMisplacedFiles, type MisplacedFile } from "../../catalog/discovery/misplaced-files.ts";
import type { InspectedProject } from "../../catalog/inspect-project.ts";
import { moveCommand } from "../../platform/text/shell-word.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./args/command.ts";
import { printable, shownPath, styled } from "./output/print.ts";
import type { Output } from "./output/terminal.ts";

/** A misplaced tool file, and the command that moves it. */
export interface Misplaced extends MisplacedFile {
  readonly fix: string;
}

/** The tool files in folders that are not searched. */
export function misplacedFor(
  { globals: { cwd } }: Invocation,
  { home, toolwrightHome }: InspectedProject["homes"],
  searched: readonly string[],
): Misplaced[] {
  return findMisplacedFiles({ cwd, home, toolwrightHome, searched }).map((found) => ({
    ...found,
    fix: moveCommand(short(found.file, cwd), short(found.folder, cwd)),
  }));
}

/** Like `misplacedFor`, for the folders of a toolbox. */
export function findMisplaced(
  invocation: Invocation,
  { project, status }: Pick<Toolbox, "project" | "status">,
): Misplaced[] {
  return misplacedFor(invocation, project.homes, status.folders);
}

/** Lines for `list` and `check`. */
export function misplacedLines(misplaced: readonly Misplaced[], output: Output, cwd: string): string[] {
  if (misplaced.length === 0) return [];
  const title =
    misplaced.length === 1
      ? "1 file looks like a tool, but is not in a tools folder:"
      : `${misplaced.length} files look like tools, but are not in a tools folder:`;
  return [
    styled(output, "yellow", title),
    ...misplaced.flatMap(({ file, fix }) => [`  ${shownPath(file, cwd)}`, `    Move it: ${printable(fix)}`]),
  ];
}

/** Relative if the path is below the working directory, since the command is typed there. */
function short(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith(`..${sep}`) || inside === ".." || isAbsolute(inside) ? path : inside;
}
