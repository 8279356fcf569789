import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../core/error.ts";
import { hasCode } from "../core/error-code.ts";

/** Paths whose changes change the list of tools. Paths that do not exist yet are watched too. */
export interface Watched {
  /** Tools folders: their files, and those of their subfolders. */
  readonly folders: readonly string[];
  /** Single files: imports of tool files, and settings. */
  readonly files: readonly string[];
}

/** Editors save a file in several steps. */
const DEBOUNCE_MS = 50;

/**
 * Calls `onChange` after a watched file has changed, one call at a time. Calls `describe` before and after each change to
 * update what is watched. Calls `onFailure` once if the system has no more watchers for a folder.
 */
export function watchTools(
  describe: () => Watched,
  onChange: () => Promise<unknown>,
  onFailure: (folder: string, reason: string) => void,
): Watching {
  const watchers = new Map<string, { watcher: FSWatcher; inode: number }>();
  let interests: Interests = new Map();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let hasFailed = false;

  const fail = (folder: string, error: unknown): void => {
    if (hasFailed || !hasCode(error, "EMFILE", "ENFILE", "ENOSPC")) return;
    hasFailed = true;
    onFailure(folder, messageOf(error));
  };
  const scheduleChange = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(runChange, runChange);
    }, DEBOUNCE_MS);
  };
  /** Updates the watchers before `onChange` reads the files: no change in between is missed. */
  const runChange = async (): Promise<void> => {
    if (stopped) return;
    updateWatchers();
    await onChange().catch(() => {});
    if (updateWatchers()) scheduleChange();
  };
  /** Opens and closes watchers; true if it opened one. A folder that was deleted and created again needs a new watcher. */
  const updateWatchers = (): boolean => {
    if (stopped) return false;
    interests = toInterests(describe());
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
        // An event with the folder's own name: the folder was deleted or moved.
        const isReplaced = name === basename(folder) && inodeOf(folder) !== inode;
        if (isReplaced) close(folder);
        const wanted = interests.get(folder);
        if (isReplaced || wanted === "all" || name === null || wanted?.has(name)) scheduleChange();
      });
      watchers.set(folder, { watcher, inode });
      watcher.on("error", (error) => {
        fail(folder, error);
        close(folder);
        scheduleChange();
      });
      return true;
    } catch (error) {
      // The folder was just deleted, or may not be watched. The watcher of its parent reports when that changes.
      fail(folder, error);
      return false;
    }
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };

  updateWatchers();
  return {
    refresh: () => void updateWatchers(),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      for (const folder of [...watchers.keys()]) close(folder);
      await running.catch(() => {});
    },
  };
}

/** A running watch. */
export interface Watching {
  /** Updates what is watched now. */
  refresh(): void;
  /** Resolves after a running `onChange`. */
  stop(): Promise<void>;
}

function inodeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
  } catch {
    return 0;
  }
}

/** The watched names in each existing folder. Events for other names are ignored. */
type Interests = Map<string, Set<string> | "all">;

function toInterests({ folders, files }: Watched): Interests {
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

/** Watches the nearest existing ancestor for the next segment of the path. */
function nameInParent(path: string, interests: Interests): void {
  const parent = dirname(path);
  if (parent === path) return;
  const known = interests.get(parent);
  if (known === "all") return;
  // Many files share few folders: `isFolder` runs once for each folder.
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
