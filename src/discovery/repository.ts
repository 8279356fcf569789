import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { realPath } from "./real-path.ts";

/** The nearest directory, from this one up, that holds a `.git`: a folder, or the file of a worktree or submodule. */
export function repositoryRoot(directory: string): string | undefined {
  for (const ancestor of ancestors(directory)) {
    if (existsSync(join(ancestor, ".git"))) return ancestor;
  }
  return undefined;
}

/** The project that a working directory belongs to: its repository, else itself. A real path, since trust is given to it. */
export function projectOf(cwd: string): string {
  const real = realPath(cwd) ?? resolve(cwd);
  return repositoryRoot(real) ?? real;
}

/** The directory itself, its parent, and so on up to `last`, else to the root of the disk. */
export function* ancestors(directory: string, last?: string): Generator<string> {
  let current = directory;
  while (true) {
    yield current;
    const parent = dirname(current);
    if (current === last || parent === current) return;
    current = parent;
  }
}
