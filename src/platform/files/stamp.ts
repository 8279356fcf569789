import { statSync } from "node:fs";

export type Stamped = readonly [file: string, stamp: string];

/** Size, modification time and inode of a file: equal stamps mean unchanged content. Never throws. */
export function stampOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    // A double has microsecond precision for the modification time, finer than the clocks of file systems.
    return stat ? `${stat.size}-${stat.mtimeMs}-${stat.ino}` : "gone";
  } catch {
    return "unreadable";
  }
}
