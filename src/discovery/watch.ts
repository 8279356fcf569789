import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What decides which tools there are. Need not exist: what does not is watched for. */
export interface Watched {
  /** Folders of tools: everything directly in them, and in their folders, counts. */
  readonly folders: readonly string[];
  /** Single files: imports of tool files, and settings. */
  readonly files: readonly string[];
}

/** Editors save in several steps; this long after the last one they are done. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` after something that counts was saved, and waits for it before calling it again. What is watched
 * is asked for anew after each change. Answers with a function that stops watching.
 */
export function watchTools(describe: () => Watched, onChange: () => Promise<unknown>): () => Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let interests: Interests = new Map();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = false;

  const noticed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(onChange).then(arrange, arrange);
    }, SETTLE_MS);
  };
  const arrange = (): void => {
    if (stopped) return;
    interests = interestsOf(describe());
    for (const [folder, watcher] of watchers) if (!interests.has(folder)) close(folder, watcher);
    for (const folder of interests.keys()) if (!watchers.has(folder)) open(folder);
  };
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        const wanted = interests.get(folder);
        if (wanted === "all" || name === null || wanted?.has(name)) noticed();
      });
      watchers.set(folder, watcher);
      watcher.on("error", () => {
        close(folder, watcher);
        noticed();
      });
    } catch {
      // It went away in this moment: the folder above tells when it comes back.
    }
  };
  const close = (folder: string, watcher: FSWatcher): void => {
    watchers.delete(folder);
    watcher.close();
  };

  arrange();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    for (const [folder, watcher] of watchers) close(folder, watcher);
    await working.catch(() => {});
  };
}

/** By existing folder: the names in it that count. Each is watched by itself, so that nothing else is woken up for. */
type Interests = Map<string, Set<string> | "all">;

function interestsOf({ folders, files }: Watched): Interests {
  const interests: Interests = new Map();
  for (const folder of folders) {
    for (const each of [folder, ...subfolders(folder)]) {
      if (isFolder(each)) interests.set(each, "all");
    }
    nameInParent(folder, interests);
  }
  for (const file of files) nameInParent(file, interests);
  return interests;
}

/** The nearest folder above that exists tells when the next part of the path appears, changes or goes. */
function nameInParent(path: string, interests: Interests): void {
  const parent = dirname(path);
  if (parent === path) return;
  if (!isFolder(parent)) {
    nameInParent(parent, interests);
    return;
  }
  const known = interests.get(parent) ?? new Set();
  if (known !== "all") interests.set(parent, known.add(basename(path)));
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && (stat.isDirectory() || stat.isSymbolicLink());
  } catch {
    return false;
  }
}
