import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
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
 * is asked for anew around each change.
 */
export function watchTools(describe: () => Watched, onChange: () => Promise<unknown>): Watching {
  const watchers = new Map<string, { watcher: FSWatcher; inode: number }>();
  let interests: Interests = new Map();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();
  let stopped = false;

  const noticed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(respond, respond);
    }, SETTLE_MS);
  };
  /** Watches first and looks then: what is saved in between is noticed one way or the other. */
  const respond = async (): Promise<void> => {
    if (stopped) return;
    arrange();
    await onChange().catch(() => {});
    if (arrange()) noticed();
  };
  /** Whether anything is watched now that was not before. A folder that was replaced is another one. */
  const arrange = (): boolean => {
    if (stopped) return false;
    interests = interestsOf(describe());
    for (const [folder, { inode }] of watchers) {
      if (!interests.has(folder) || inodeOf(folder) !== inode) close(folder);
    }
    const missing = [...interests.keys()].filter((folder) => !watchers.has(folder));
    return missing.filter(open).length > 0;
  };
  const open = (folder: string): boolean => {
    try {
      const inode = inodeOf(folder);
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // By its own name: the folder itself has gone or moved, and one that takes its place is another.
        const isGone = name === basename(folder) && inodeOf(folder) !== inode;
        if (isGone) close(folder);
        const wanted = interests.get(folder);
        if (isGone || wanted === "all" || name === null || wanted?.has(name)) noticed();
      });
      watchers.set(folder, { watcher, inode });
      watcher.on("error", () => {
        close(folder);
        noticed();
      });
      return true;
    } catch {
      // It went away in this moment, or may not be watched: the folder above tells when that changes.
      return false;
    }
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };

  arrange();
  return {
    refresh: () => void arrange(),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      for (const folder of [...watchers.keys()]) close(folder);
      await working.catch(() => {});
    },
  };
}

/** Files that are being watched. */
export interface Watching {
  /** Asks anew what is to be watched, without waiting for a change. */
  refresh(): void;
  /** Waits for a change that is being dealt with. */
  stop(): Promise<void>;
}

function inodeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
  } catch {
    return 0;
  }
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
  const known = interests.get(parent);
  if (known === "all") return;
  // Hundreds of files lie in the same few folders: the disk is asked once for each.
  if (known === undefined && !isFolder(parent)) nameInParent(parent, interests);
  else interests.set(parent, (known ?? new Set()).add(basename(path)));
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
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
