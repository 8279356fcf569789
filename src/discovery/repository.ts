import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { realPath } from "../files/real-path.ts";

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

/**
 * The directories that may hold tools and configurations of a project: from `start` up to `root`, both real paths. Not the
 * home folder, in which they are the user's, and none of a package in `node_modules`, in which they are the package's.
 */
export function projectDirectories(start: string, root: string, home: string | undefined): string[] {
  return [...ancestors(start, root)].filter(
    (directory) => directory !== home && !relative(root, directory).split(sep).includes("node_modules"),
  );
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
