import { createRequire } from "node:module";
import type { ModuleFile } from "../contributions.ts";

/** The major version of the package that a file imports; undefined if it is not installed near the file. */
export function installedMajor(file: ModuleFile, name: string): number | undefined {
  try {
    const { version } = createRequire(file.path)(`${name}/package.json`) as { version: string };
    return Number.parseInt(version, 10);
  } catch {
    return undefined;
  }
}
