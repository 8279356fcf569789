import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../core/error.ts";

/** The files that a program opens on its own in the folders that it walks. */
interface ImplicitReads {
  /** The program's name in messages. */
  readonly program: string;
  readonly folder: string;
  /** Names of files that it opens in the folder, above it and below it. */
  readonly names: readonly string[];
  /** Files that it also opens, and folders of which it opens every file. Called before each check. */
  readonly extraPaths?: () => readonly string[];
}

export function blockingFileError(program: string, file: string): ToolError {
  return new ToolError(
    "failed",
    `${program} would wait forever: "${file}" is not a regular file but a pipe or a device. Ask the user to remove it.`,
  );
}

/** Most runs end before the first check. */
const FIRST_CHECK_MS = 250;
const NEXT_CHECK_MS = 1_000;

/**
 * Runs a program that opens files without checking that they are regular files. If it runs for longer than
 * FIRST_CHECK_MS, searches for a pipe or a device among these files. If there is one, ends the run and rejects with
 * `blockingFileError`.
 */
export async function runUnlessBlocked<T>(
  opened: ImplicitReads,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [ended, blocked] = [new AbortController(), new AbortController()];
  const checking = checkUntil(ended.signal, opened).then((file) => {
    if (file !== undefined) blocked.abort(blockingFileError(opened.program, file));
  });
  try {
    const result = await run(AbortSignal.any([signal, blocked.signal]));
    if (!signal.aborted) blocked.signal.throwIfAborted();
    return result;
  } finally {
    ended.abort();
    await checking;
  }
}

/** Checks repeatedly, since a file may be created meanwhile. */
async function checkUntil(ended: AbortSignal, opened: ImplicitReads): Promise<string | undefined> {
  for (let pause = FIRST_CHECK_MS; ; pause = NEXT_CHECK_MS) {
    await sleep(pause, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted) return undefined;
    const file = await findBlockingFile(opened, ended);
    if (file !== undefined) return file;
  }
}

/** The first pipe or device found. Undefined when there is none, or when the signal fires first. */
export async function findBlockingFile(
  { folder, names, extraPaths = () => [] }: ImplicitReads,
  ended: AbortSignal,
): Promise<string | undefined> {
  for (let above = dirname(folder); ; above = dirname(above)) {
    for (const name of names) if (await isBlocking(join(above, name))) return join(above, name);
    if (above === dirname(above)) break;
  }
  const extra = extraPaths();
  for (const path of extra) if (await isBlocking(path)) return path;
  return (await findBelow(extra, () => true, ended)) ?? findBelow([folder], (name) => names.includes(name), ended);
}

async function findBelow(
  starts: readonly string[],
  isOpened: (name: string) => boolean,
  ended: AbortSignal,
): Promise<string | undefined> {
  const folders = [...starts];
  for (let folder = folders.pop(); folder !== undefined && !ended.aborted; folder = folders.pop()) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== ".git") folders.push(path);
      else if (!entry.isFile() && isOpened(entry.name) && (await isBlocking(path))) return path;
    }
  }
  return undefined;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** Sockets and folders do not block: opening or reading them fails at once. */
async function isBlocking(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && (stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice());
}
