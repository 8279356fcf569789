import { readFileSync, statSync } from "node:fs";

const LARGEST = 10_000_000;

/**
 * The text of a file that somebody else may have made; undefined where there is none. A device or a huge file is none:
 * a project that nobody trusts must not be able to keep us busy.
 */
export function readText(file: string): string | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= LARGEST ? readFileSync(file, "utf8").replace(/^\uFEFF/, "") : undefined;
  } catch {
    return undefined;
  }
}
