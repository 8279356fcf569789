import { dirname, sep } from "node:path";
import type { Problem } from "../core/problem.ts";
import type { Place, ToolFile } from "./place.ts";
import { findPlaces, type PlacesOptions, possiblePlaces } from "./places.ts";
import { projectOf } from "./repository.ts";
import { type Scanned, scan } from "./scan.ts";
import { trustOf } from "./trust.ts";

/** Where to look, and what says that the project is trusted. */
export interface DiscoverOptions extends PlacesOptions {
  /** `trust.parents` of the user's settings. */
  readonly parents: readonly string[];
  /** `--trust`. */
  readonly trust: boolean;
}

/** Tool files of an untrusted project, which are not run. */
export interface Blocked {
  readonly directory: string;
  readonly files: readonly string[];
  /** The command that unblocks them, ready to paste, in whichever directory. */
  readonly fix: string;
}

/** Everything that was found, before any of it is run. */
export interface Discovered {
  readonly project: { readonly root: string; readonly trusted: boolean };
  /** Highest priority first, those of an untrusted project included. */
  readonly places: readonly Place[];
  /** Every path at which a place would be found, whether or not there is one now. */
  readonly possible: readonly string[];
  /** What may be run: nothing of an untrusted project. */
  readonly files: readonly ToolFile[];
  readonly blocked: readonly Blocked[];
  readonly problems: readonly Problem[];
}

/** Finds the tool files for a working directory. Opens none of them and never throws. */
export function discover(options: DiscoverOptions): Discovered {
  const root = projectOf(options.cwd);
  const { trusted, problem } = trustOf({ ...options, project: root, flag: options.trust });
  const { places, problems } = findPlaces(options);
  const { open, closed } = trusted ? { open: scan(places), closed: NOTHING } : scanApart(places);
  return {
    project: { root, trusted },
    places,
    possible: possiblePlaces(options),
    files: open.files,
    blocked: blockedPlaces(closed.files, root),
    problems: [...(problem === undefined ? [] : [problem]), ...problems, ...open.problems, ...closed.problems],
  };
}

const NOTHING: Scanned = { files: [], problems: [] };

/** Apart, so that a file of the user's stays one even if an untrusted project links to it. */
function scanApart(places: readonly Place[]): { open: Scanned; closed: Scanned } {
  return {
    open: scan(places.filter((place) => !place.ofProject)),
    closed: scan(places.filter((place) => place.ofProject)),
  };
}

function blockedPlaces(files: readonly ToolFile[], root: string): Blocked[] {
  const fix = `toolwright trust --cwd ${shellWord(root)}`;
  return [...Map.groupBy(files, ({ place }) => place)].map(([place, found]) => ({
    directory: found.length === 1 && found[0]?.file === place.path ? dirname(place.path) : place.path,
    files: found.map(({ file }) => file),
    fix,
  }));
}

/** One word for the user's shell, whatever the folder is called. */
function shellWord(path: string): string {
  if (sep === "\\") return /[^\w@%+=:,./\\-]/.test(path) ? `"${path}"` : path;
  return /[^\w@%+=:,./-]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : path;
}
