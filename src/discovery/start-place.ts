import { isAbsolute, parse } from "node:path";
import type { Environment } from "../config/options.ts";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";
import { environmentOutside, isOutside } from "../process/find-program.ts";

/** Where a program is started, and with which environment. */
export interface StartPlace {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Where the user's own programs are started for a project: in its root once it is trusted. Before that in the home folder,
 * with nothing of the project on PATH: `npx`, `uvx` and `python -m` run what they find in the folder they are started in.
 */
export function startPlace(
  env: Environment,
  project: { readonly root: string; readonly trusted: boolean },
  home: string,
): StartPlace {
  if (project.trusted) return { cwd: project.root, env };
  return { cwd: folderOutside(project.root, home), env: environmentOutside(env, project.root) };
}

/** The home folder; the root of its disk where the project holds the home folder. */
export function folderOutside(project: string, home: string): string {
  const real = realPath(home) ?? home;
  return isInside(project, real) ? parse(real).root : home;
}

/** Whether a text, such as a word of a command line or the value of a variable, has the absolute path of something in the project. */
export function namesProject(text: string, project: string, env: Environment): boolean {
  return text.split(/[\s=:;,'"]+/).some((part) => isAbsolute(part) && !isOutside(part, project, env));
}
