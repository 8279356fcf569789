import { join, relative } from "node:path";
import { textOf } from "../../core/result.ts";
import { defined } from "../../platform/values/defined.ts";
import { Type } from "./lazy-typebox.ts";
import {
  type Execution,
  type PiResult,
  type PiTool,
  pathFor,
  piTool,
  resolvePiPath,
  textResult,
  throwIfAborted,
} from "./pi-tool.ts";
import { unavailable } from "./stand-in.ts";
import { DEFAULT_MAX_BYTES, formatSize, truncateHead } from "./truncate-text.ts";

interface GrepParameters {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignoreCase?: boolean;
  readonly literal?: boolean;
  readonly limit?: number;
}

export function createGrepTool(cwd?: string, options: { readonly operations?: unknown } = {}): PiTool {
  return piTool<GrepParameters>(cwd, {
    name: "grep",
    description: `Search file contents for a pattern. Returns matching lines with file paths and line numbers. Respects .gitignore. Output is truncated to ${GREP_LIMIT} matches or ${DEFAULT_MAX_BYTES / 1024}KB (whichever is hit first).`,
    promptSnippet: "Search file contents for patterns (respects .gitignore)",
    parameters: Type.Object({
      pattern: Type.String({ description: "Search pattern (regex or literal string)" }),
      path: Type.Optional(Type.String({ description: "Directory or file to search (default: current directory)" })),
      glob: Type.Optional(Type.String({ description: "Filter files by glob pattern, e.g. '*.ts' or '**/*.spec.ts'" })),
      ignoreCase: Type.Optional(Type.Boolean({ description: "Case-insensitive search (default: false)" })),
      literal: Type.Optional(
        Type.Boolean({ description: "Treat pattern as literal string instead of regex (default: false)" }),
      ),
      context: Type.Optional(
        Type.Number({ description: "Not supported here: use read to see the lines around a match" }),
      ),
      limit: Type.Optional(Type.Number({ description: `Maximum number of matches to return (at most ${GREP_LIMIT})` })),
    }),
    shown: "pattern",
    execute: async (params, execution) => {
      if (options.operations) return unavailable('createGrepTool() of pi with "operations"')();
      return grepBuiltin(params, execution);
    },
  });
}

export const createGrepToolDefinition: typeof createGrepTool = createGrepTool;

const GREP_LIMIT = 100;

async function grepBuiltin(params: GrepParameters, execution: Execution): Promise<PiResult> {
  const { pattern, path, glob, limit = GREP_LIMIT } = params;
  const regex = params.literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
  const input = {
    pattern: params.ignoreCase ? `(?i)${regex}` : regex,
    ...folder(path, execution),
    ...defined({ include: glob }),
  };
  const result = await execution.run("grep", input);
  const { matches, more } = Object(result.data) as { matches?: number; more?: boolean };
  if (matches === 0) return textResult("No matches found");
  const found = toMatchLines(textOf(result.content));
  const shown = found.slice(0, limit).join("\n");
  if (!more && found.length <= limit) return textResult(shown);
  const reached = Math.min(limit, GREP_LIMIT);
  return textResult(`${shown}\n\n[${reached} matches limit reached. Refine the pattern]`, {
    matchLimitReached: reached,
  });
}

/** The built-in tool groups matches by file. Pi writes "path:line: text". */
function toMatchLines(output: string): string[] {
  const lines: string[] = [];
  for (const group of output.split("\n\n").slice(1)) {
    const [path = "", ...matches] = group.split("\n");
    for (const match of matches) lines.push(match.replace(/^ {2}(\d+): /, (_, line) => `${path}:${line}: `));
  }
  // A hook may have changed the text.
  return lines.length > 0 ? lines : output.split("\n");
}

/** Finds files for the tool `find` of pi. */
export interface FindOperations {
  exists(path: string): Promise<boolean> | boolean;
  glob(pattern: string, cwd: string, options: { ignore: string[]; limit: number }): Promise<string[]> | string[];
}

interface FindParameters {
  readonly pattern: string;
  readonly path?: string;
  readonly limit?: number;
}

export function createFindTool(cwd?: string, options: { readonly operations?: FindOperations } = {}): PiTool {
  return piTool<FindParameters>(cwd, {
    name: "find",
    description:
      "Search for files by glob pattern. Returns matching file paths relative to the search directory. Respects .gitignore.",
    promptSnippet: "Find files by glob pattern (respects .gitignore)",
    parameters: Type.Object({
      pattern: Type.String({
        description: "Glob pattern to match files, e.g. '*.ts', '**/*.json', or 'src/**/*.spec.ts'",
      }),
      path: Type.Optional(Type.String({ description: "Directory to search in (default: current directory)" })),
      limit: Type.Optional(Type.Number({ description: "Maximum number of results" })),
    }),
    shown: "pattern",
    execute: (params, execution) =>
      options.operations ? findOver(options.operations, params, execution) : findBuiltin(params, execution),
  });
}

export const createFindToolDefinition: typeof createFindTool = createFindTool;

const FIND_LIMIT = 1000;

async function findBuiltin({ pattern, path, limit }: FindParameters, execution: Execution): Promise<PiResult> {
  // In pi, a pattern without a slash matches in every folder, and one with a slash from every folder.
  const everywhere = pattern.startsWith("/") || pattern.startsWith("**") ? pattern : `**/${pattern}`;
  const result = await execution.run("glob", { pattern: everywhere, ...folder(path, execution) });
  const { files, more = 0 } = Object(result.data) as { files?: number; more?: number };
  if (files === 0) return textResult("No files found matching pattern");
  const [, listed] = textOf(result.content).split("\n\n");
  if (listed === undefined) return textResult(textOf(result.content));
  const start = resolvePiPath(path || ".", execution.cwd);
  const paths = listed.split("\n").map((each) => relative(start, resolvePiPath(each, execution.directory)));
  return foundFiles(paths, Math.min(limit ?? FIND_LIMIT, more > 0 ? paths.length : FIND_LIMIT), more > 0);
}

function foundFiles(paths: readonly string[], limit: number, isMore: boolean): PiResult {
  const truncation = truncateHead(paths.slice(0, limit).join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
  const isReached = isMore || paths.length > limit;
  const notices = [
    ...(isReached ? [`${limit} results limit reached. Refine the pattern`] : []),
    ...(truncation.truncated ? [`${formatSize(DEFAULT_MAX_BYTES)} limit reached`] : []),
  ];
  if (notices.length === 0) return textResult(truncation.content);
  return textResult(`${truncation.content}\n\n[${notices.join(". ")}]`, {
    ...(isReached ? { resultLimitReached: limit } : {}),
    ...(truncation.truncated ? { truncation } : {}),
  });
}

async function findOver(
  operations: FindOperations,
  { pattern, path, limit = FIND_LIMIT }: FindParameters,
  { cwd, signal }: Execution,
): Promise<PiResult> {
  throwIfAborted(signal);
  const start = resolvePiPath(path || ".", cwd);
  if (!(await operations.exists(start))) throw new Error(`Path not found: ${start}`);
  const ignore = ["**/node_modules/**", "**/.git/**"];
  const found = await operations.glob(pattern, start, { ignore, limit });
  throwIfAborted(signal);
  if (found.length === 0) return textResult("No files found matching pattern");
  const paths = found.map((each) => (each.startsWith("/") ? relative(start, each) : each));
  return foundFiles(paths, limit, paths.length >= limit);
}

/** Reads folders for the tool `ls` of pi. */
export interface LsOperations {
  exists(path: string): Promise<boolean> | boolean;
  stat(path: string): Promise<{ isDirectory(): boolean }> | { isDirectory(): boolean };
  readdir(path: string): Promise<string[]> | string[];
}

interface LsParameters {
  readonly path?: string;
  readonly limit?: number;
}

export function createLsTool(cwd?: string, options: { readonly operations?: LsOperations } = {}): PiTool {
  return piTool<LsParameters>(cwd, {
    name: "ls",
    description: `List directory contents. Returns entries sorted alphabetically, with '/' suffix for directories. Output is truncated to ${LS_LIMIT} entries.`,
    promptSnippet: "List directory contents",
    parameters: Type.Object({
      path: Type.Optional(Type.String({ description: "Directory to list (default: current directory)" })),
      limit: Type.Optional(Type.Number({ description: `Maximum number of entries to return (default: ${LS_LIMIT})` })),
    }),
    shown: "path",
    execute: async (params, execution) => {
      const entries = await (options.operations
        ? entriesOver(options.operations, params, execution)
        : entriesBuiltin(params, execution));
      return listed(entries, params.limit ?? LS_LIMIT);
    },
  });
}

export const createLsToolDefinition: typeof createLsTool = createLsTool;

const LS_LIMIT = 500;

/** The built-in tool shows a tree. Without what is in its folders, that is a list. */
async function entriesBuiltin({ path }: LsParameters, execution: Execution): Promise<string[]> {
  const result = await execution.run("list", { ...folder(path, execution), ignore: ["*/**"] });
  const lines = textOf(result.content).split("\n");
  return lines.flatMap((line) => {
    const [, entry] = /^ {2}(\S.*)$/.exec(line) ?? [];
    return entry === undefined || /^\[\d+ more /.test(entry) ? [] : [entry.replace(/(?<=\/) \[[^\]]*\]$| -> .*$/, "")];
  });
}

async function entriesOver(
  operations: LsOperations,
  { path }: LsParameters,
  { cwd, signal }: Execution,
): Promise<string[]> {
  throwIfAborted(signal);
  const start = resolvePiPath(path || ".", cwd);
  if (!(await operations.exists(start))) throw new Error(`Path not found: ${start}`);
  if (!(await operations.stat(start)).isDirectory()) throw new Error(`Not a directory: ${start}`);
  const entries: string[] = [];
  for (const name of await operations.readdir(start)) {
    throwIfAborted(signal);
    try {
      entries.push((await operations.stat(join(start, name))).isDirectory() ? `${name}/` : name);
    } catch {
      // Pi leaves out what cannot be read.
    }
  }
  return entries;
}

function listed(entries: readonly string[], limit: number): PiResult {
  if (entries.length === 0) return textResult("(empty directory)");
  const sorted = entries.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase()));
  const shown = sorted.slice(0, limit).join("\n");
  if (sorted.length <= limit) return textResult(shown);
  return textResult(`${shown}\n\n[${limit} entries limit reached. Use limit=${limit * 2} for more]`, {
    entryLimitReached: limit,
  });
}

function folder(path: string | undefined, execution: Execution): { path?: string } {
  if (path !== undefined && path !== "") return { path: pathFor(path, execution) };
  return execution.cwd === execution.directory ? {} : { path: execution.cwd };
}
