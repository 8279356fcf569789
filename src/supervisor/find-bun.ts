import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findProgram, isOutside, isProgram } from "../process/find-program.ts";

/**
 * The Bun that a person would get: on PATH, else where its installer puts it, else the npm package beside this one.
 * A Bun in the project does not count: nothing of a project chooses which program runs. Starts no process.
 */
export function findBun(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly home: string; readonly project: string },
): string | undefined {
  const name = process.platform === "win32" ? "bun.exe" : "bun";
  const installed = [env.BUN_INSTALL, join(options.home, ".bun")]
    .flatMap((folder) => (folder ? [join(folder, "bin", name)] : []))
    .filter((file) => isOutside(file, options.project, env));
  return findProgram("bun", env, options.project) ?? [...installed, ...besideUs()].find(isProgram);
}

/** As our own code would find it. The package has one name for its program on all systems. */
function besideUs(): string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe")];
  } catch {
    return [];
  }
}
