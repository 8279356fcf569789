import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../core/error.ts";
import { hasCode } from "../../platform/files/error-code.ts";
import { isFolder } from "../../platform/files/is-folder.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

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
  return new ToolWatch(describe, onChange, onFailure);
}

/** A running watch. */
export interface Watching {
  /** Updates what is watched now. */
  refresh(): void;
  /** Resolves after a running `onChange`. */
  stop(): Promise<void>;
}

class ToolWatch implements Watching {
  readonly #describe: () => Watched;
  readonly #onChange: () => Promise<unknown>;
  readonly #onFailure: (folder: string, reason: string) => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; inode: number }>();
  #interests: Interests = new Map();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = false;
  #hasFailed = false;

  constructor(
    describe: () => Watched,
    onChange: () => Promise<unknown>,
    onFailure: (folder: string, reason: string) => void,
  ) {
    this.#describe = describe;
    this.#onChange = onChange;
    this.#onFailure = onFailure;
    this.refresh();
  }

  /** Opens and closes watchers; true if it opened one. A folder that was deleted and created again needs a new watcher. */
  refresh(): boolean {
    if (this.#stopped) return false;
    this.#interests = toInterests(this.#describe());
    for (const [folder, { inode }] of this.#watchers) {
      if (!this.#interests.has(folder) || inodeOf(folder) !== inode) this.#close(folder);
    }
    const missing = [...this.#interests.keys()].filter((folder) => !this.#watchers.has(folder));
    return missing.filter((folder) => this.#open(folder)).length > 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const folder of [...this.#watchers.keys()]) this.#close(folder);
    await this.#running.catch(() => {});
  }

  #scheduleChange(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const run = (): Promise<void> => this.#runChange();
      this.#running = this.#running.then(run, run);
    }, DEBOUNCE_MS);
  }

  /** Updates the watchers before `onChange` reads the files: no change in between is missed. */
  async #runChange(): Promise<void> {
    if (this.#stopped) return;
    this.refresh();
    await this.#onChange().catch(() => {});
    if (this.refresh()) this.#scheduleChange();
  }

  #open(folder: string): boolean {
    try {
      const inode = inodeOf(folder);
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#onEvent(folder, inode, name));
      this.#watchers.set(folder, { watcher, inode });
      watcher.on("error", (error) => {
        this.#fail(folder, error);
        this.#close(folder);
        this.#scheduleChange();
      });
      return true;
    } catch (error) {
      // The folder was just deleted, or may not be watched. The watcher of its parent reports when that changes.
      this.#fail(folder, error);
      return false;
    }
  }

  #onEvent(folder: string, inode: number, name: string | null): void {
    // An event with the folder's own name: the folder was deleted or moved.
    const isReplaced = name === basename(folder) && inodeOf(folder) !== inode;
    if (isReplaced) this.#close(folder);
    const wanted = this.#interests.get(folder);
    if (isReplaced || wanted === "all" || name === null || wanted?.has(name)) this.#scheduleChange();
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  #fail(folder: string, error: unknown): void {
    if (this.#hasFailed || !hasCode(error, "EMFILE", "ENFILE", "ENOSPC")) return;
    this.#hasFailed = true;
    this.#onFailure(folder, messageOf(error));
  }
}

function inodeOf(path: string): number {
  return tryOrUndefined(() => statSync(path, { throwIfNoEntry: false })?.ino ?? 0) ?? 0;
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
  return (
    tryOrUndefined(() =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
        .map((entry) => join(folder, entry.name)),
    ) ?? []
  );
}
