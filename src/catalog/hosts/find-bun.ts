import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findProgram, isOutside, isProgram } from "../../platform/processes/find-program.ts";

/**
 * Finds Bun: on PATH, in the folder of its installer, or as an npm package beside this one. A Bun inside the project is
 * ignored: a project must not choose which program runs. Starts no process.
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

/** The npm package that this package would import. Its program has the same name on all systems. */
function besideUs(): string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe")];
  } catch {
    return [];
  }
}
