import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { findProgram } from "./find-program.ts";

/**
 * The program of ripgrep: the one of TOOLWRIGHT_RIPGREP, else the one of our package, else `rg` on PATH, but never one of the
 * project. Undefined if there is none.
 */
export async function findRipgrep(
  env: Readonly<Record<string, string | undefined>>,
  project: string,
): Promise<string | undefined> {
  const configured = env.TOOLWRIGHT_RIPGREP;
  if (configured && isAbsolute(configured)) return configured;
  return (await packagedRipgrep()) ?? findProgram("rg", env, project);
}

/** Undefined when the package has no binary for this platform, or when npm did not install it. */
async function packagedRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return existsSync(rgPath) ? rgPath : undefined;
  } catch {
    return undefined;
  }
}
