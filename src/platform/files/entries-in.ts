import { type Dirent, readdirSync } from "node:fs";
import { tryOrUndefined } from "../values/try-or-undefined.ts";

/** The entries of a folder; empty if it cannot be read. */
export function entriesIn(folder: string): Dirent[] {
  return tryOrUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
