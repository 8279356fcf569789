import { statSync } from "node:fs";

/** What a file looks like from outside: equal stamps mean unchanged content, for all practical purposes. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.size}-${stat.mtimeNs}-${stat.ino}` : "gone";
}
