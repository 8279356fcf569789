import type { Problem } from "../core/problem.ts";
import { type Candidate, candidatesAt } from "./candidates.ts";
import type { Place, ToolFile } from "./place.ts";

/** The tool files of some places, in the order of the places and by name within one. */
export interface Scanned {
  readonly files: ToolFile[];
  readonly problems: Problem[];
}

/** A package, and those of its files that it offers as tools. */
export interface Plugin {
  readonly place: Place;
  readonly candidates: readonly Candidate[];
}

/**
 * Looks for tool files without opening any, those of packages last. One real file is listed once, where it is found
 * first. Never throws.
 */
export function scan(places: readonly Place[], plugins: readonly Plugin[] = []): Scanned {
  const files: ToolFile[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const add = (place: Place, candidates: readonly Candidate[]): void => {
    for (const { file, name, real } of candidates) {
      if (seen.has(real)) continue;
      seen.add(real);
      files.push({ file, name, place });
    }
  };
  for (const place of places) add(place, candidatesAt(place.path, problems));
  for (const { place, candidates } of plugins) add(place, candidates);
  return { files, problems };
}
