import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/**
 * The Bun that a person would get: on PATH, else where its installer puts it, else the npm package beside this one.
 * A project's own packages do not count: nothing of a project chooses which program runs. Starts no process.
 */
export function findBun(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly home: string },
): string | undefined {
  const name = process.platform === "win32" ? "bun.exe" : "bun";
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const installed = [env.BUN_INSTALL, join(options.home, ".bun")].filter((folder) => folder !== undefined);
  const places = [...folders, ...installed.map((folder) => join(folder, "bin"))].map((folder) => join(folder, name));
  return [...places, ...besideUs()].find(isProgram);
}

/** As our own code would find it. The package has one name for its program on all systems. */
function besideUs(): string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe")];
  } catch {
    return [];
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
