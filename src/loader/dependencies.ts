import { existsSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Stamped } from "../files/stamp.ts";
import { stampOf } from "../files/stamp.ts";
import { packageFolders, type Resolved, wouldBe } from "./resolve-import.ts";

/** What the files that were loaded depend on, as noted while they are. */
export class Dependencies {
  readonly #graph = new ImportGraph();
  readonly #stamps = new Map<string, string>();
  readonly #real = new Map<string, string>();

  /** How many are known: it grows with every new one. */
  get size(): number {
    return this.#graph.size;
  }

  /** The real path of a file that is to be loaded. */
  enter(file: string): string {
    const path = this.#realOf(file);
    // A link is what the file is known by: leading elsewhere, it is another file.
    if (path !== file) this.#graph.add(path, file);
    return path;
  }

  /** To be called before a file is read. */
  stamp(path: string): string {
    const stamp = stampOf(path);
    this.#stamps.set(path, stamp);
    return stamp;
  }

  /** Notes what an import led to. What is not there is a dependency too: the day it is, the file may load. */
  add(parent: string, specifier: string, found: Resolved | undefined): void {
    if (!found) {
      for (const path of wouldBe(specifier, parent)) this.#graph.add(parent, path);
      return;
    }
    this.#graph.add(parent, found.path);
    // Which package a name leads to is decided by a folder that may be a link, and may come to lead elsewhere.
    if (!found.ours && isBare(specifier)) this.#graph.add(parent, nearestPackage(specifier, parent) ?? found.path);
  }

  /** A file, first, and all that it depends on. */
  of(file: string): Stamped[] {
    const known = this.#graph.closure(this.#realOf(file));
    return known.map((path) => [path, this.#stamps.get(path) ?? this.stamp(path)]);
  }

  #realOf(file: string): string {
    const path = this.#real.get(file) ?? realpathSync.native(file);
    this.#real.set(file, path);
    return path;
  }
}

/** A relative import stays with the author's code; so does a workspace package, which is linked, not installed. */
export function isAuthors(specifier: string, found: Resolved): boolean {
  if (found.ours) return false;
  return specifier.startsWith(".") || !found.path.includes(`${sep}node_modules${sep}`);
}

function isBare(specifier: string): boolean {
  return !/^[./#]|^\w+:|^[A-Za-z]:/.test(specifier);
}

/** The folder of an installed package as the file sees it. */
function nearestPackage(specifier: string, parent: string): string | undefined {
  return packageFolders(specifier, parent).find((folder) => existsSync(folder));
}

/** Which author's file imports which, as seen while they were loaded. */
class ImportGraph {
  readonly #edges = new Map<string, Set<string>>();
  /** How many there are: it grows whenever something is imported that was not before. */
  size = 0;

  add(from: string, to: string): void {
    const known = this.#edges.get(from) ?? new Set();
    if (known.has(to)) return;
    this.#edges.set(from, known.add(to));
    this.size += 1;
  }

  /** Every file that a change of could change what `entry` does, `entry` itself first. */
  closure(entry: string): string[] {
    const seen = new Set([entry]);
    for (const file of seen) for (const next of this.#edges.get(file) ?? []) seen.add(next);
    return [...seen];
  }
}
