import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Tool, type ToolContext, ToolError, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { formatCount, formatPath } from "./search/format-path.ts";
import { compileGlob } from "./search/glob-pattern.ts";
import { listFiles } from "./search/list-files.ts";
import { type DatedFile, NewestFiles } from "./search/newest-files.ts";
import { existsWithoutLinks } from "./search/open-inside.ts";
import { ripgrepFor } from "./search/ripgrep.ts";
import { findStart, readAccess, type Start, toFolder } from "./search/search-start.ts";
import { namePackages, PACKAGES, skippedAt, skippedNote, splitAtPackages } from "./search/skipped-folders.ts";
import { areVisible } from "./search/visible-paths.ts";

const z = tool.schema;

const LIMITS = { results: 100 };
/** Keeps this many times more files than are shown, since permission rules may hide some. */
const SPARE = 20;

export default Tool.define("glob", {
  parameters: z.object({
    pattern: z.string().describe('The glob that paths must match, such as "**/*.ts" or "src/**/*.{ts,tsx}"'),
    path: z.string().optional().describe("The folder to search; the working directory by default"),
  }),
  limits: { own: LIMITS },
  hints: {
    title: "Find files",
    readOnly: true,
    idempotent: true,
    openWorld: false,
    card: { kind: "list", pattern: "pattern", path: "path" },
  },
  access: ({ path }, { cwd }) => readAccess(path, cwd),
  async execute({ pattern, path }, context) {
    const { results } = { ...LIMITS, ...context.limits.own };
    const target = absolute(path || ".", context.directory);
    const named = splitAtPackages(fromStart(pattern, [target]), target);
    const start = await findStart(named ? join(path || ".", named.path) : path, context);
    if (start.kind === "file") {
      throw new ToolError(
        "failed",
        `"${start.displayName}" is a file. Send a folder as "path", or read the file with read.`,
      );
    }
    const relative = named?.rest ?? fromStart(pattern, [start.real, target]);
    const { matches, name } = compileGlob(relative, "pattern");
    const folder = await toFolder(start, context);
    const skips = namePackages(folder.prefix, start.displayName, pattern) ? undefined : PACKAGES;
    const ripgrep = await ripgrepFor(folder, context.worktree, skips);
    const newest = new NewestFiles(results * SPARE);
    await listFiles(ripgrep, name, context.abort, (file) => {
      const changed = matches(file) ? changedAt(`${start.real}/${file}`) : undefined;
      if (changed !== undefined) newest.add(file, changed);
    });
    const { shown, left } = await visibleFiles(newest.files(), results, start, context);
    const skipped = skips === undefined ? [] : await skippedAt(start, folder, context);
    const note = skippedNote(skipped, shown.length === 0, '"path" or "pattern"');
    return {
      title: pattern,
      metadata: { files: shown.length, more: left },
      output: `${format(shown, left, pattern, start)}${note}`,
    };
  },
});

/** Makes an absolute pattern relative to the folder that is searched. */
function fromStart(pattern: string, folders: readonly string[]): string {
  const folder = folders.find((each) => pattern.startsWith(`${each}/`));
  return folder === undefined ? pattern : pattern.slice(folder.length);
}

function changedAt(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** The newest files that permission rules do not hide, and whose paths still contain no link; and the number of those that are left. */
async function visibleFiles(
  files: readonly DatedFile[],
  limit: number,
  start: Start,
  context: ToolContext,
): Promise<{ shown: string[]; left: number }> {
  const shown: string[] = [];
  let from = 0;
  for (; from < files.length && shown.length < limit; from += limit) {
    const paths = files.slice(from, from + limit).map(({ path }) => path);
    const isVisible = await areVisible(paths, start, context);
    shown.push(...paths.filter((path, at) => isVisible[at] && existsWithoutLinks(join(start.real, path))));
  }
  const rest = await areVisible(
    files.slice(from).map(({ path }) => path),
    start,
    context,
  );
  return { shown: shown.slice(0, limit), left: Math.max(0, shown.length - limit) + rest.filter(Boolean).length };
}

function format(
  shown: readonly string[],
  left: number,
  pattern: string,
  { displayName, displayPrefix }: Start,
): string {
  if (shown.length === 0) return noMatch(pattern, displayName);
  const head =
    left > 0
      ? `The ${shown.length} newest files; ${left} older ones match as well. Narrow it down with a longer pattern or a path.`
      : `${formatCount(shown.length, "file")}, newest first.`;
  return `${head}\n\n${shown.map((path) => formatPath(displayPrefix + path)).join("\n")}`;
}

function noMatch(pattern: string, displayName: string): string {
  const hint = pattern.startsWith("/") ? ' A leading "/" is the folder that is searched.' : "";
  return `No file matches "${pattern}" in "${displayName}".${hint}`;
}
