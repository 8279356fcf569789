import { mergeFiles } from "../merge-files.ts";
import type { FromFile } from "../module.ts";

/** What came of one function, in whichever ways it gave it. */
export function joinParts(parts: readonly FromFile[]): FromFile {
  const joined = mergeFiles(parts);
  return Object.defineProperties({ made: true }, Object.getOwnPropertyDescriptors(joined)) as FromFile;
}
