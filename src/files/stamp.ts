import { statSync } from "node:fs";

/** A file and its stamp. */
export type Stamped = readonly [file: string, stamp: string];

/**
 * What a file looks like from outside: equal stamps mean unchanged content, for all practical purposes. Never throws.
 */
export function stampOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    // A double holds microseconds of the modification time: finer than any system's clock for files.
    return stat ? `${stat.size}-${stat.mtimeMs}-${stat.ino}` : "gone";
  } catch {
    return "unreadable";
  }
}
