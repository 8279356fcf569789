import { isAbsolute, parse } from "node:path";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { environmentOutside, isOutside } from "../../platform/processes/find-program.ts";
import type { Environment } from "../../settings/defaults.ts";

/** Working directory and environment of a program to start. */
export interface StartOptions {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * How the user's programs are started for a project: in its root if it is trusted. Otherwise in the home folder, with nothing
 * of the project on PATH, because `npx`, `uvx` and `python -m` run code from their working directory.
 */
export function startOptions(
  env: Environment,
  project: { readonly root: string; readonly trusted: boolean },
  home: string,
): StartOptions {
  if (project.trusted) return { cwd: project.root, env };
  return { cwd: folderOutsideProject(project.root, home), env: environmentOutside(env, project.root) };
}

/** The home folder; the root of its disk if the home folder is in the project. */
export function folderOutsideProject(project: string, home: string): string {
  const real = realPath(home) ?? home;
  return isInside(project, real) ? parse(real).root : home;
}

/** Whether a text, such as an argument or the value of a variable, contains an absolute path in the project. */
export function mentionsProject(text: string, project: string, env: Environment): boolean {
  return text.split(/[\s=:;,'"]+/).some((part) => isAbsolute(part) && !isOutside(part, project, env));
}
