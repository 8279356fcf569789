import { setImmediate as nextTurn } from "node:timers/promises";
import { untilAborted } from "../../../platform/waiting/until-aborted.ts";
import { within } from "../../../platform/waiting/within.ts";
import { type ListedFolder, listPaths } from "./list-paths.ts";
import { pathScore } from "./path-score.ts";

/** How long a list is used before the folder is listed again. */
const FRESH_MS = 5_000;
/** How long a search waits for a list that is being made, unless it is given up. It then finds what is listed so far. */
const WAIT_MS = 1_000;
/** The number of paths that are compared before other events are handled. */
const SLICE = 5_000;

/** The paths of a folder, as far as they are listed. */
interface Listing {
  /** Files, and folders with a slash at the end. */
  readonly paths: string[];
  readonly lowerCase: string[];
  readonly done: Promise<void>;
  readonly isDone: boolean;
  /** When it was complete. */
  readonly doneAt: number;
}

/** Finds files and folders of a project by parts of their paths. The list of files is kept for some seconds. */
export class ProjectFiles {
  readonly #folder: ListedFolder;
  readonly #stop = new AbortController();
  #listing: Listing | undefined;
  #next: Listing | undefined;

  constructor(folder: ListedFolder) {
    this.#folder = folder;
  }

  /** The best matches first. Resolves to an empty list soon after the signal has fired. Never rejects. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const listing = this.#current();
    if (!listing.isDone) await untilAborted(signal, () => within(WAIT_MS, listing.done));
    return best(listing, query.toLowerCase(), limit, signal);
  }

  /** Ends a program that lists files. */
  close(): void {
    this.#stop.abort();
  }

  /** An old list is used until the next one is complete. */
  #current(): Listing {
    if (this.#next?.isDone) {
      this.#listing = this.#next;
      this.#next = undefined;
    }
    this.#listing ??= startListing(this.#folder, this.#stop.signal);
    const { isDone, doneAt } = this.#listing;
    if (isDone && performance.now() - doneAt > FRESH_MS) this.#next ??= startListing(this.#folder, this.#stop.signal);
    return this.#listing;
  }
}

function startListing(folder: ListedFolder, signal: AbortSignal): Listing {
  const folders = new Set<string>();
  const paths: string[] = [];
  const lowerCase: string[] = [];
  const add = (path: string): void => {
    paths.push(path);
    lowerCase.push(path.toLowerCase());
  };
  const addAll = (files: readonly string[]): void => {
    for (const file of files) {
      for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
        const parent = file.slice(0, at + 1);
        if (folders.has(parent)) break;
        folders.add(parent);
        add(parent);
      }
      add(file);
    }
  };
  const state = { isDone: false, doneAt: 0 };
  const done = listPaths(folder, signal, addAll).then(() => {
    state.isDone = true;
    state.doneAt = performance.now();
  });
  return Object.assign(state, { paths, lowerCase, done });
}

async function best(
  { paths, lowerCase }: Listing,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let found: { readonly path: string; readonly score: number }[] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (let start = 0; start < paths.length; start += SLICE) {
    if (start > 0) await nextTurn();
    if (signal.aborted) return [];
    for (let at = start; at < Math.min(paths.length, start + SLICE); at += 1) {
      const score = pathScore(lowerCase[at] ?? "", query);
      if (score !== undefined && score <= worst) found.push({ path: paths[at] ?? "", score });
    }
    found = found.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
    worst = found[limit - 1]?.score ?? worst;
  }
  return found.map(({ path }) => path);
}
