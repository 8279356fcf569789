import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "../../index.ts";
import { blockingFileError, findBlockingFile, runUnlessBlocked } from "../../platform/files/blocking-file.ts";
import { findRipgrep } from "../../platform/processes/find-ripgrep.ts";
import { type ProcessResult, runProcess } from "../../platform/processes/run-process.ts";
import type { Folder } from "./walk.ts";

/** How ripgrep searches one folder with the ignore rules of the project. */
export interface Ripgrep {
  readonly program: string;
  readonly flags: readonly string[];
  readonly cwd: string;
  /** Every path that ripgrep prints begins with this, unless it is outside the folder to search. */
  readonly prefix: string;
}

/** Rejects if ripgrep is not found. `skips` is the name of a folder that is not searched. */
export async function ripgrepFor({ path, prefix }: Folder, worktree: string, skips?: string): Promise<Ripgrep> {
  const program = await requireRipgrep(worktree);
  const root = prefix === "" ? path : path.slice(0, -prefix.length);
  const isRepository = existsSync(join(root, ".git"));
  // With --no-require-git, rules of a repository would also hold in the repositories inside it.
  const flags = [
    ...FLAGS,
    ...(isRepository ? [] : ["--no-require-git"]),
    ...(skips === undefined ? [] : [`--glob=!${skips}`]),
  ];
  if (prefix !== "" && !hasRulesAbove(root, isRepository)) return { program, flags, cwd: path, prefix: "./" };
  // ripgrep cannot skip only the ignore files above the project: from the root, it skips all that are above its folder.
  return { program, flags: [...flags, "--no-ignore-parent"], cwd: root, prefix: `./${prefix}` };
}

/**
 * Passes the output of ripgrep to `onText` in chunks, and stops when it returns true. Rejects with the signal's reason when
 * the signal fires, and when an ignore file is a pipe or a device. Skips files that cannot be read.
 */
export async function runRipgrep(
  { program, flags, cwd }: Ripgrep,
  args: readonly string[],
  signal: AbortSignal,
  onText: (text: string) => boolean,
): Promise<void> {
  const opened = { program: "ripgrep", folder: cwd, names: IGNORE_FILES };
  const { isStopped, result } = await runUnlessBlocked(opened, signal, (unblocked) =>
    run(program, [...flags, ...args, "--", "./"], { cwd, signal: unblocked }, onText),
  );
  signal.throwIfAborted();
  if (isStopped) return;
  const endless = result.signal === "SIGKILL" ? await findBlockingFile(opened, signal) : undefined;
  if (endless !== undefined) throw blockingFileError("ripgrep", endless);
  throwIfFailed(result);
}

/** The program that searches an opened file, and what ends it. */
export interface FileProgram {
  readonly program: string;
  readonly signal: AbortSignal;
}

/** Searches one open file from its beginning. */
export async function runRipgrepOn(
  descriptor: number,
  { program, signal }: FileProgram,
  args: readonly string[],
  onText: (text: string) => boolean,
): Promise<void> {
  const options = { cwd: tmpdir(), stdin: descriptor, signal };
  const { isStopped, result } = await run(program, [...FLAGS, "--no-ignore", ...args, "--", "-"], options, onText);
  signal.throwIfAborted();
  if (!isStopped) throwIfFailed(result);
}

async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly stdin?: number; readonly signal: AbortSignal },
  onText: (text: string) => boolean,
): Promise<{ isStopped: boolean; result: ProcessResult }> {
  const stop = new AbortController();
  const result = await runProcess(program, args, {
    ...options,
    signal: AbortSignal.any([options.signal, stop.signal]),
    maxBytes: STDERR_BYTES,
    memoryMb: MAX_MEMORY_MB,
    onOutput(text, stream) {
      if (stream === "stdout" && !stop.signal.aborted && onText(text)) stop.abort();
    },
  });
  return { isStopped: stop.signal.aborted, result };
}

function throwIfFailed({ code, signal, stderr }: ProcessResult): void {
  // 1: no match. 2 without a message: a file could not be read.
  if (code === 0 || code === 1 || (code === 2 && stderr === "")) return;
  throw new ToolError("failed", explain(stderr, signal ?? code));
}

function explain(stderr: string, ended: NodeJS.Signals | number | null): string {
  if (ended === "SIGKILL") {
    return `ripgrep was ended: it used more than ${MAX_MEMORY_MB} MB of memory, or another process ended it. Search in a smaller folder.`;
  }
  const [, reason] = /regex parse error:.*?^error: (.*?)$/ms.exec(stderr) ?? [];
  if (reason !== undefined) {
    return `"pattern" is not a valid regular expression: ${reason}. Write \\ before a character that means itself, such as ( [ { * + ? (the syntax is ripgrep's). A pattern for file names goes into "include".`;
  }
  return `ripgrep failed: ${stderr.trim().replace(/\s*\n\s*/g, " ") || `it ended with ${ended}`}`;
}

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/** ripgrep reads an ignore file into memory, and a device such as /dev/zero has no end. */
const MAX_MEMORY_MB = 1_024;

const STDERR_BYTES = 16 * 1024;

/** Neither the user's configuration nor the user's ignore rules change a result. Hidden files are found, `.git` is not. */
const FLAGS: readonly string[] = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--glob=!.git",
  "--color=never",
  "--path-separator=/",
  "--null",
];

async function requireRipgrep(worktree: string): Promise<string> {
  const program = await findRipgrep(process.env, worktree);
  if (program === undefined) throw new ToolError("failed", NO_RIPGREP);
  return program;
}

const NO_RIPGREP =
  "ripgrep was not found. Ask the user to install it so that rg is on PATH (https://github.com/BurntSushi/ripgrep#installation), or to set TOOLWRIGHT_RIPGREP to its absolute path.";

/** Whether ripgrep would apply ignore files from above the project. */
function hasRulesAbove(root: string, isRepository: boolean): boolean {
  const names = [".rgignore", ".ignore", ...(isRepository ? [] : [".gitignore"])];
  for (let folder = root; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (names.some((name) => existsSync(join(folder, name)))) return true;
  }
  return false;
}
