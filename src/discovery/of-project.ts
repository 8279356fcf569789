import { resolve } from "node:path";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";

/**
 * Whether a file that is read for the user in every project lies in this one, because a variable points there: that does
 * not say that the project is trusted. A project around the home folder makes nothing of the user's its own.
 */
export function isOfProject(file: string, project: string, home: string): boolean {
  const [real, realHome] = [realPath(file) ?? resolve(file), realPath(home) ?? resolve(home)];
  if (isInside(project, realHome) && isInside(realHome, real)) return false;
  return isInside(project, resolve(file)) || isInside(project, real);
}
