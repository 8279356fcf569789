import { statSync } from "node:fs";
import { dirname } from "node:path";
import { hiddenBy } from "../platform/files/hidden-by.ts";

/** For how long a look at the files counts. */
const LOOK_MS = 20;
/** A file that changed this recently may change again without a new stamp: clocks of file systems tick every few ms. */
const TICK_MS = 50;
/** For how long a file may be missing or empty while it is being replaced, and changes of the other files wait for it. */
const REPLACE_MS = 100;

/**
 * The files that permissions and trust rest on, as they were when this object was created: to be created before they are read.
 * Notices changes by their state on disk. Links are followed. Watchers are faster, but may fail, and do not see a change behind
 * a link.
 */
export class RightsFiles {
  readonly #paths: readonly string[];
  readonly #stamps: readonly Stamp[];
  #lookedAt = performance.now();
  /** When a file was first seen missing or empty. Its folder may change all the time. */
  #replacedSince: number | undefined;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#stamps = paths.map(stampOf);
  }

  /** Whether a file has changed. Looks at most every 20 ms. */
  haveChanged(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS) return false;
    this.#lookedAt = now;
    const stamps = this.#paths.map(stampOf);
    const isSame = (stamp: Stamp, index: number): boolean => {
      const known = this.#stamps[index];
      return known?.settled === true && stamp.text === known.text;
    };
    if (stamps.every(isSame)) return false;
    if (!this.#isBeingReplaced(stamps)) return true;
    this.#replacedSince ??= now;
    return now - this.#replacedSince >= REPLACE_MS;
  }

  /** Editors empty or remove a file before they write it again: the rules in it apply meanwhile. */
  #isBeingReplaced(stamps: readonly Stamp[]): boolean {
    return stamps.some(({ goneAt }, index) => {
      const wasThere = this.#stamps[index]?.goneAt === undefined;
      return goneAt !== undefined && wasThere && Math.abs(Date.now() - goneAt) < REPLACE_MS;
    });
  }
}

interface Stamp {
  readonly text: string;
  /** Since when the file is missing or empty. */
  readonly goneAt?: number;
  /** Whether an equal stamp later proves that nothing has changed. */
  readonly settled: boolean;
}

function stampOf(path: string): Stamp {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return { text: `missing ${hiddenBy(path)}`, goneAt: changeOf(dirname(path)), settled: true };
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    const changedAt = Math.max(mtimeMs, ctimeMs);
    const settled = Math.abs(Date.now() - changedAt) > TICK_MS;
    const text = [dev, ino, size, mtimeMs, ctimeMs].join(" ");
    return { text, settled, ...(size === 0 ? { goneAt: changedAt } : {}) };
  } catch {
    return { text: "unreadable", settled: true };
  }
}

function changeOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
