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

/** A working directory and its project. All paths are real. */
export interface ProjectPlace {
  readonly cwd: string;
  readonly root: string;
  /**
   * The directories in which the project may have tools and config files: from `cwd` up to `root`. Excludes the home folder,
   * whose files are the user's, and packages in `node_modules`.
   */
  readonly directories: readonly string[];
}

/** Asks the disk once: callers hand the answer on, so that all of them mean the same project. */
export function projectPlace(directory: string, home: string): ProjectPlace {
  const cwd = realPath(directory) ?? resolve(directory);
  const root = repositoryRoot(cwd) ?? cwd;
  const realHome = realPath(home);
  const directories = [...ancestors(cwd, root)].filter(
    (each) => each !== realHome && !relative(root, each).split(sep).includes("node_modules"),
  );
  return { cwd, root, directories };
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
