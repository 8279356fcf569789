import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { BlockingFileError, findBlockingFile, runUnlessBlocked } from "../../files/blocking-file.ts";
import { ToolError } from "../../index.ts";
import { type ProcessResult, runProcess } from "../../process/run-process.ts";
import type { Folder } from "./walk.ts";

/** A ripgrep that sees a folder as we do. */
export interface Ripgrep {
  readonly program: string;
  /** What it must be told to honour just the ignore files that we do. */
  readonly flags: readonly string[];
  readonly folder: string;
  /** A file in the folder, as `./name`, where it alone is searched. */
  readonly target?: string;
}

/**
 * The ripgrep to search a folder with. Undefined when there is none, and when it would heed ignore files that lie above the
 * project: everything is then done without it, with the same answers.
 */
export async function ripgrepFor(folder: Folder): Promise<Ripgrep | undefined> {
  const program = await findRipgrep();
  const above = program === undefined ? undefined : aboveFlags(folder);
  return program && above ? { program, flags: [...FLAGS, ...above], folder: folder.path } : undefined;
}

/**
 * Runs it over its folder, or its file, and passes on what it prints, piece by piece. Stops when `onText` says true, and rejects with
 * the signal's reason when that fires. Whatever it could not read is left out. Rejects with `BlockingFileError` where an ignore
 * file is a pipe or a device, which it would read.
 */
export async function runRipgrep(
  { program, flags, folder, target }: Ripgrep,
  args: readonly string[],
  signal: AbortSignal,
  onText: (text: string) => boolean,
): Promise<void> {
  const enough = new AbortController();
  const run = (unblocked: AbortSignal): Promise<ProcessResult> =>
    runProcess(program, [...flags, ...args, "--", target ?? "./"], {
      cwd: folder,
      signal: AbortSignal.any([unblocked, enough.signal]),
      maxBytes: KEPT_BYTES,
      memoryMb: MOST_MEMORY_MB,
      onOutput(text, stream) {
        if (stream === "stdout" && !enough.signal.aborted && onText(text)) enough.abort();
      },
    });
  const opened = { folder, names: IGNORE_FILES };
  const result = await (target === undefined ? runUnlessBlocked(opened, signal, run) : run(signal));
  signal.throwIfAborted();
  if (enough.signal.aborted || result.code === 0 || result.code === 1) return;
  // It ends with 2 as well when it could not read something, and says nothing of it.
  if (result.code === 2 && result.stderr === "") return;
  if (result.signal === "SIGKILL") {
    const endless = await findBlockingFile(opened, signal);
    if (endless !== undefined) throw new BlockingFileError(endless);
    throw new ToolError(
      "failed",
      `ripgrep was ended: it used more than ${MOST_MEMORY_MB} MB of memory, or another process ended it. Search in a smaller folder.`,
    );
  }
  throw new ToolError(
    "failed",
    `ripgrep failed: ${oneLine(result.stderr) || `it ended with ${result.signal ?? result.code}`}`,
  );
}

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/** An ignore file that is a device has no end, and ripgrep reads it whole. */
const MOST_MEMORY_MB = 1_024;

/** What is kept of its output beside what is passed on: enough for its errors. */
const KEPT_BYTES = 16 * 1024;

/**
 * No settings of the user's, nor rules that are not in the project, so that the answer is the same for everybody. Hidden
 * files are like any other, but for git's own.
 */
const FLAGS = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--glob=!.git",
  "--color=never",
  "--path-separator=/",
  "--null",
] as const;

/**
 * `TOOLWRIGHT_RIPGREP` is the absolute path of one, or "none"; else the one of our package is taken. PATH is not searched:
 * it may lead into the project.
 */
async function findRipgrep(): Promise<string | undefined> {
  const said = process.env.TOOLWRIGHT_RIPGREP;
  if (said === "none") return undefined;
  if (said && isAbsolute(said)) return said;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return existsSync(rgPath) ? rgPath : undefined;
  } catch {
    // There is no package for this platform.
    return undefined;
  }
}

/** About the folders above the one that is searched. Undefined when it cannot be had as we want it. */
function aboveFlags({ path, prefix }: Folder): string[] | undefined {
  const root = prefix === "" ? path : path.slice(0, -prefix.length);
  const isRepository = existsSync(join(root, ".git"));
  // In a repository, others in it are kept apart only if git is required.
  const flags = isRepository ? [] : ["--no-require-git"];
  if (prefix === "") return [...flags, "--no-ignore-parent"];
  return hasRulesAbove(root, isRepository) ? undefined : flags;
}

function hasRulesAbove(root: string, isRepository: boolean): boolean {
  const names = [".rgignore", ".ignore", ...(isRepository ? [] : [".gitignore"])];
  for (let folder = root; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (names.some((name) => existsSync(join(folder, name)))) return true;
  }
  return false;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " ");
}
