import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";

/** The nearest ancestor, or the directory itself, with a `.git`: a folder, or the file of a worktree or submodule. */
export function repositoryRoot(directory: string): string | undefined {
  for (const ancestor of ancestors(directory)) {
    if (existsSync(join(ancestor, ".git"))) return ancestor;
  }
  return undefined;
}

/** The project of a working directory: its repository, else the directory itself. A real path, because trust is stored by path. */
export function projectOf(cwd: string): string {
  const real = realPath(cwd) ?? resolve(cwd);
  return repositoryRoot(real) ?? real;
}

/**
 * The directories in which a project may have tools and config files: from `start` up to `root`, both real paths. Excludes the
 * home folder, whose files are the user's, and packages in `node_modules`.
 */
export function projectDirectories(start: string, root: string, home: string | undefined): string[] {
  return [...ancestors(start, root)].filter(
    (directory) => directory !== home && !relative(root, directory).split(sep).includes("node_modules"),
  );
}

/** The directory, its parent and so on, up to `last` or the root of the disk. */
export function* ancestors(directory: string, last?: string): Generator<string> {
  let current = directory;
  while (true) {
    yield current;
    const parent = dirname(current);
    if (current === last || parent === current) return;
    current = parent;
  }
}

/**
 * Whether a file of the user's configuration is in the project, because an environment variable points there. Reading it does
 * not mean that the project is trusted. If the home folder is in the project, files in the home folder are the user's.
 */
export function belongsToProject(file: string, project: string, home: string): boolean {
  const [real, realHome] = [realPath(file) ?? resolve(file), realPath(home) ?? resolve(home)];
  if (isInside(project, realHome) && isInside(realHome, real)) return false;
  return isInside(project, resolve(file)) || isInside(project, real);
}
