import type { Problem } from "../core/problem.ts";
import type { Plugin } from "./scan.ts";

/** The installed packages and plugins that offer tools, and what tells when there are others. */
export interface FoundPlugins {
  /** Highest priority first: the project's, those of the nearest directory first, then the user's. */
  readonly plugins: readonly Plugin[];
  readonly problems: readonly Problem[];
  /** Folders in which one may appear. */
  readonly folders: readonly string[];
  /** Files that say which there are, and what they offer. */
  readonly files: readonly string[];
}
