import { countOf, type FileMatches, type LineMatch } from "./match.ts";
import { counted, shownPath } from "./shown-path.ts";

/** Matches as a model reads them: grouped by file, with the number of each line. */
export function shownMatches(files: readonly FileMatches[], prefix: string, isMore: boolean): string {
  const groups = files.map(({ path, lines }) => [shownPath(prefix + path), ...lines.map(shownLine)].join("\n"));
  const total = `${counted(countOf(files), "match", "matches")} in ${counted(files.length, "file")}`;
  const head = isMore
    ? `The first ${total}, by path. There are more: narrow it down with a longer pattern, a path or an include.`
    : `${total}.`;
  return [head, ...groups].join("\n\n");
}

function shownLine({ line, column, text, isCut }: LineMatch): string {
  if (!isCut) return `  ${line}: ${text}`;
  const where = column > Buffer.byteLength(text) ? `: the match is at byte ${column} of the line` : "";
  return `  ${line}: ${text} [cut${where}]`;
}
