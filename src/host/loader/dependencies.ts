import { existsSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Stamped } from "../../platform/files/stamp.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import { candidatePaths, packageFolders, type Resolved } from "./resolve-import.ts";

/** The imports of loaded files, collected while they load. */
export class Dependencies {
  readonly #graph = new ImportGraph();
  readonly #stamps = new Map<string, string>();
  readonly #real = new Map<string, string>();

  get size(): number {
    return this.#graph.size;
  }

  /** The real path of an entry file. */
  enter(file: string): string {
    const path = this.#realPathOf(file);
    // If a link is changed, the entry is another file.
    if (path !== file) this.#graph.add(path, file);
    return path;
  }

  /** Must be called before the file is read. */
  stamp(path: string): string {
    const stamp = stampOf(path);
    this.#stamps.set(path, stamp);
    return stamp;
  }

  /** Adds an import. If it was not found, adds the paths at which it may appear later. */
  add(parent: string, specifier: string, found: Resolved | undefined): void {
    if (!found) {
      for (const path of candidatePaths(specifier, parent)) this.#graph.add(parent, path);
      return;
    }
    this.#graph.add(parent, found.path);
    // The folder of a package may be a link that changes.
    if (!found.ours && isBare(specifier)) this.#graph.add(parent, nearestPackage(specifier, parent) ?? found.path);
  }

  /** A file and all its direct and indirect imports, the file first. */
  of(file: string): Stamped[] {
    const known = this.#graph.closure(this.#realPathOf(file));
    return known.map((path) => [path, this.#stamps.get(path) ?? this.stamp(path)]);
  }

  #realPathOf(file: string): string {
    const path = this.#real.get(file) ?? realpathSync.native(file);
    this.#real.set(file, path);
    return path;
  }
}

/** Whether an import leads to the author's own code: a relative import, or a linked workspace package. */
export function isAuthorFile(specifier: string, found: Resolved): boolean {
  if (found.ours) return false;
  return specifier.startsWith(".") || !found.path.includes(`${sep}node_modules${sep}`);
}

function isBare(specifier: string): boolean {
  return !/^[./#]|^\w+:|^[A-Za-z]:/.test(specifier);
}

/** The folder of an installed package, before links are resolved. */
function nearestPackage(specifier: string, parent: string): string | undefined {
  return packageFolders(specifier, parent).find((folder) => existsSync(folder));
}

class ImportGraph {
  readonly #edges = new Map<string, Set<string>>();
  size = 0;

  add(from: string, to: string): void {
    const known = this.#edges.get(from) ?? new Set();
    if (known.has(to)) return;
    this.#edges.set(from, known.add(to));
    this.size += 1;
  }

  /** `entry` and every file that can be reached from it, `entry` first. */
  closure(entry: string): string[] {
    const seen = new Set([entry]);
    for (const file of seen) for (const next of this.#edges.get(file) ?? []) seen.add(next);
    return [...seen];
  }
}
