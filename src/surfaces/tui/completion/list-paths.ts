import { readdir } from "node:fs/promises";
import { findRipgrep } from "../../../platform/processes/find-ripgrep.ts";
import { runProcess } from "../../../platform/processes/run-process.ts";
import type { Environment } from "../../../settings/defaults.ts";

/** The folder to list, and the project that it belongs to, which must not choose the programs that run. */
export interface ListedFolder {
  readonly directory: string;
  readonly root: string;
  readonly env: Environment;
}

/** Of a larger project, not all files are offered. */
const MAX_FILES = 200_000;
const MAX_MS = 15_000;
const MAX_MEMORY_MB = 512;

/**
 * Passes the paths of files to `onPaths` in groups, relative to the folder and with slashes. Files that are ignored (`.gitignore`,
 * `.ignore`) are left out. Without ripgrep, all files are listed, except those of hidden folders and of packages. Ends early when
 * the signal fires or when there are too many files. Never rejects.
 */
export async function listPaths(
  folder: ListedFolder,
  signal: AbortSignal,
  onPaths: (paths: readonly string[]) => void,
): Promise<void> {
  const program = await findRipgrep(folder.env, folder.root).catch(() => undefined);
  if (program !== undefined && (await listWithRipgrep(program, folder.directory, signal, onPaths))) return;
  await walk(folder.directory, signal, onPaths);
}

const FLAGS = ["--files", "--no-config", "--no-messages", "--hidden", "--glob=!.git", "--null", "--path-separator=/"];

/** False if ripgrep could not be run. */
async function listWithRipgrep(
  program: string,
  cwd: string,
  signal: AbortSignal,
  onPaths: (paths: readonly string[]) => void,
): Promise<boolean> {
  const stop = new AbortController();
  let [rest, count] = ["", 0];
  try {
    const { code, stderr } = await runProcess(program, FLAGS, {
      cwd,
      signal: AbortSignal.any([signal, stop.signal]),
      timeoutMs: MAX_MS,
      memoryMb: MAX_MEMORY_MB,
      maxBytes: 1_000,
      onOutput(text, stream) {
        if (stream !== "stdout" || stop.signal.aborted) return;
        const paths = `${rest}${text}`.split("\0");
        rest = paths.pop() ?? "";
        count += paths.length;
        onPaths(paths);
        if (count >= MAX_FILES) stop.abort();
      },
    });
    // 1: there are no files. 2 without a message: a folder could not be read.
    return count > 0 || code === 0 || code === 1 || (code === 2 && stderr === "") || signal.aborted;
  } catch {
    return false;
  }
}

async function walk(
  directory: string,
  signal: AbortSignal,
  onPaths: (paths: readonly string[]) => void,
): Promise<void> {
  const folders = [""];
  const end = performance.now() + MAX_MS;
  for (let count = 0; folders.length > 0 && count < MAX_FILES && !signal.aborted && performance.now() < end; ) {
    const folder = folders.shift() ?? "";
    const entries = await readdir(`${directory}/${folder}`, { withFileTypes: true }).catch(() => []);
    const visible = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    const files = visible.filter((entry) => entry.isFile()).map(({ name }) => `${folder}${name}`);
    folders.push(...visible.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}${name}/`));
    count += files.length;
    onPaths(files);
  }
}
