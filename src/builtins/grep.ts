import { basename, dirname, join } from "node:path";
import { Tool, type ToolContext, ToolError, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { formatCount, formatPath } from "./search/format-path.ts";
import { compileGlob } from "./search/glob-pattern.ts";
import { confirmMatches, grepFile } from "./search/grep-file.ts";
import { type FolderQuery, grepFolder } from "./search/grep-folder.ts";
import { checkPattern } from "./search/line-query.ts";
import { countOf, type FileMatches, firstOf, type LineMatch } from "./search/match.ts";
import { ripgrepFor } from "./search/ripgrep.ts";
import { findStart, readAccess, type Start, toFolder } from "./search/search-start.ts";
import { namePackages, PACKAGES, skippedAt, skippedNote, splitAtPackages } from "./search/skipped-folders.ts";
import { areVisible } from "./search/visible-paths.ts";

const z = tool.schema;

const LIMITS = { results: 100, lineLength: 500 };

export default Tool.define("grep", {
  parameters: z.object({
    pattern: z.string().describe("The regular expression to search for, in one line at a time"),
    path: z.string().optional().describe("The folder or the file to search; the working directory by default"),
    include: z
      .string()
      .optional()
      .describe('A glob: only matching files are searched, such as "*.ts" or "src/**/*.{ts,tsx}"'),
  }),
  limits: { own: LIMITS },
  hints: {
    title: "Search in files",
    readOnly: true,
    idempotent: true,
    openWorld: false,
    card: { kind: "list", pattern: "pattern", path: "path" },
  },
  access: ({ path }, { cwd }) => readAccess(path, cwd),
  async execute({ pattern, path, include }, context) {
    const { results, lineLength } = { ...LIMITS, ...context.limits.own };
    checkPattern(pattern);
    const named =
      include === undefined ? undefined : splitAtPackages(include, absolute(path || ".", context.directory));
    const query: FolderQuery = {
      pattern,
      lineLength,
      include: include === undefined ? undefined : compileGlob(named?.rest ?? include, "include"),
    };
    const start = await findStart(named ? join(path || ".", named.path) : path, context);
    const found =
      start.kind === "file"
        ? await inFile(start, query, results, context)
        : await inFolder(start, query, { results, include: include ?? "" }, context);
    const count = countOf(found.files);
    const where = `in "${start.displayName}"${include === undefined ? "" : `, in files that match "${include}"`}`;
    const matches = count > 0 ? formatMatches(found.files, found.prefix, found.isMore) : `Nothing matches ${where}.`;
    const output = `${matches}${skippedNote(found.skipped, count === 0, '"path" or "include"')}`;
    return { title: pattern, metadata: { matches: count, files: found.files.length, more: found.isMore }, output };
  },
});

interface Found {
  readonly files: readonly FileMatches[];
  readonly prefix: string;
  readonly isMore: boolean;
  readonly skipped: readonly string[];
}

/** Leaves out files that permission rules hide, and searches for more matches instead. */
async function inFolder(
  start: Start,
  query: FolderQuery,
  { results, include }: { readonly results: number; readonly include: string },
  context: ToolContext,
): Promise<Found> {
  const folder = await toFolder(start, context);
  const skips = namePackages(folder.prefix, start.displayName, include) ? undefined : PACKAGES;
  const ripgrep = await ripgrepFor(folder, context.worktree, skips);
  const search = { program: ripgrep.program, folder: folder.path, query, signal: context.abort };
  for (let wanted = results + 1; ; wanted *= 10) {
    const found = await grepFolder(ripgrep, query, wanted, context.abort);
    const isAll = countOf(found) < wanted;
    const isVisible = await areVisible(
      found.map(({ path }) => path),
      start,
      context,
    );
    const visible = found.filter((_, at) => isVisible[at]);
    if (!isAll && countOf(visible) <= results) continue;
    const files: FileMatches[] = [];
    for (const file of firstOf(visible, results)) {
      const confirmed = await confirmMatches(search, file);
      if (confirmed.lines.length > 0) files.push(confirmed);
    }
    const skipped = skips === undefined ? [] : await skippedAt(start, folder, context);
    return { files, prefix: start.displayPrefix, isMore: countOf(visible) > results, skipped };
  }
}

async function inFile(
  { real, displayName }: Start,
  query: FolderQuery,
  results: number,
  context: ToolContext,
): Promise<Found> {
  // The permitted path: a folder in it may have been replaced by a link since.
  const folder = { path: dirname(real), prefix: "", rules: undefined };
  const { program } = await ripgrepFor(folder, context.worktree);
  const lines = await grepFile(
    { program, folder: folder.path, query, signal: context.abort },
    basename(real),
    results + 1,
  );
  if (lines === "unreadable") throw new ToolError("failed", `"${displayName}" may not be read. Check its permissions.`);
  if (lines === "binary") throw new ToolError("failed", `"${displayName}" is a binary file. Only text is searched.`);
  const files = lines.length > 0 ? [{ path: displayName, lines: lines.slice(0, results) }] : [];
  return { files, prefix: "", isMore: lines.length > results, skipped: [] };
}

/** Formats matches: grouped by file, with line numbers. */
function formatMatches(files: readonly FileMatches[], prefix: string, isMore: boolean): string {
  const groups = files.map(({ path, lines }) => [formatPath(prefix + path), ...lines.map(formatLine)].join("\n"));
  const total = `${formatCount(countOf(files), "match", "matches")} in ${formatCount(files.length, "file")}`;
  const head = isMore
    ? `The first ${total}, by path. There are more: narrow it down with a longer pattern, a path or an include.`
    : `${total}.`;
  return [head, ...groups].join("\n\n");
}

function formatLine({ line, column, text, isCut }: LineMatch): string {
  if (!isCut) return `  ${line}: ${text}`;
  const where = column > Buffer.byteLength(text) ? `: the match is at byte ${column} of the line` : "";
  return `  ${line}: ${text} [cut${where}]`;
}
