import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Where PATH has a program. Only absolute folders count: what lies in the folder that a program is run in, a project say,
 * is never meant.
 */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, file))
    .find(isProgram);
}

/** Whether there is a file that may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
