import { isWithin, realPath } from "./resolved-path.ts";

/**
 * Whether a file that is read for the user in every project lies in this one, because a variable points there: that does
 * not say that the project is trusted. A project around the home folder makes nothing of the user's its own.
 */
export function isOfProject(file: string, project: string, home: string): boolean {
  const [real, realHome] = [realPath(file) ?? file, realPath(home) ?? home];
  if (isWithin(realHome, project) && isWithin(real, realHome)) return false;
  return isWithin(file, project) || isWithin(real, project);
}
