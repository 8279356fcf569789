import type { Problem } from "../../core/problem.ts";
import { type Candidate, candidatesAt, type EntryOf, entriesAt, filesBelow } from "./candidates.ts";
import { openClawEntry } from "./openclaw-entries.ts";
import { piEntries } from "./pi-entries.ts";
import { pluginCandidate } from "./plugin-entry.ts";
import type { ToolFile, ToolLocation } from "./tool-file.ts";

/** The tool files of some locations, in the order of the locations, sorted by name in each. */
export interface Scanned {
  readonly files: ToolFile[];
  readonly problems: Problem[];
}

/** A package and its tool files. */
export interface FoundPlugin {
  readonly location: ToolLocation;
  readonly candidates: readonly Candidate[];
}

/** The installed packages and plugins that offer tools, and the paths to watch for others. */
export interface FoundPlugins {
  /** Highest priority first: the project's, those of the nearest directory first, then the user's. */
  readonly plugins: readonly FoundPlugin[];
  readonly problems: readonly Problem[];
  /** Folders to watch for new plugins. */
  readonly folders: readonly string[];
  /** Manifests and lock files to watch. */
  readonly files: readonly string[];
}

/**
 * Lists tool files without opening any, those of packages last. A real file that is found twice is listed where it is found
 * first. `untrusted` is the root of an untrusted project that contains the locations. Never throws.
 */
export function scan(
  locations: readonly ToolLocation[],
  plugins: readonly FoundPlugin[] = [],
  untrusted?: string,
): Scanned {
  const files = new Map<string, ToolFile>();
  const problems: Problem[] = [];
  const add = (location: ToolLocation, candidates: readonly Candidate[]): void => {
    for (const { file, name, real } of candidates) {
      const first = files.get(real);
      if (!first) files.set(real, { file, name, location });
      else if (!location.ofProject) files.set(real, { ...first, isOfUser: true });
    }
  };
  const entryOfPlugin: EntryOf = (folder) => pluginCandidate(folder, untrusted);
  for (const location of locations) {
    const { path, opencodePlugin, entryFile } = location;
    const entryOf = opencodePlugin ? entryOfPlugin : entryOfSystem(location, problems, untrusted);
    add(
      location,
      entryFile === undefined ? candidatesAt(path, problems, entryOf) : entriesAt(path, problems, entryFile),
    );
  }
  for (const { location, candidates } of plugins) add(location, candidates);
  return { files: [...files.values()], problems };
}

/** How the tool files of a subfolder are found, if not by their names. A configured folder may contain plugins of OpenClaw. */
function entryOfSystem(
  { system, kind }: ToolLocation,
  problems: Problem[],
  untrusted: string | undefined,
): EntryOf | undefined {
  if (system === "pi") return piEntries(untrusted);
  if (system === "xmcp") return filesBelow(problems);
  return system === "openclaw" || kind === "configured" ? openClawEntry(problems, untrusted) : undefined;
}
