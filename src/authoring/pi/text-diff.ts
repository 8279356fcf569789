import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A diff for people, with line numbers, and the first changed line of the new text. */
interface DisplayDiff {
  diff: string;
  firstChangedLine: number | undefined;
}

const CONTEXT = 4;

export function generateUnifiedPatch(path: string, before: string, after: string, context: number = CONTEXT): string {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = require("diff") as typeof import("diff");
  const options = { context, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, options);
}

export function generateDiffString(before: string, after: string, context: number = CONTEXT): DisplayDiff {
  return toDisplayDiff(generateUnifiedPatch("", before, after, context));
}

/** Converts a unified patch: each line gets its sign and its number, and dots stand between two hunks. */
export function toDisplayDiff(patch: string): DisplayDiff {
  const { parsePatch } = require("diff") as typeof import("diff");
  const hunks = parsePatch(patch).flatMap((file) => file.hunks);
  const highest = Math.max(
    0,
    ...hunks.map((hunk) => Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)),
  );
  const width = String(highest).length;
  let firstChangedLine: number | undefined;
  const shown = hunks.map((hunk) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    return hunk.lines.flatMap((line) => {
      const sign = line[0] ?? " ";
      if (sign === "\\") return [];
      if (sign !== " ") firstChangedLine ??= newLine;
      const number = sign === "+" ? newLine : oldLine;
      if (sign !== "+") oldLine += 1;
      if (sign !== "-") newLine += 1;
      return [`${sign}${String(number).padStart(width)} ${line.slice(1)}`];
    });
  });
  return { diff: shown.map((lines) => lines.join("\n")).join(`\n ${" ".repeat(width)} ...\n`), firstChangedLine };
}
