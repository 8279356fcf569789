import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";

/**
 * Imports a module that the program of the user has installed: as that program resolves it, else as this package does, else from
 * the project of the toolbox if it is trusted. Rejects with the command that installs it.
 */
export async function importLibrary<T>(module: string, toolbox: Pick<Toolbox, "project">): Promise<T> {
  const { directory, trusted } = toolbox.project;
  const program = tryOrUndefined(() => dirname(realpathSync(process.argv[1] ?? "")));
  const file =
    (program && (await resolveFrom(program, module))) ??
    tryOrUndefined(() => import.meta.resolve(module)) ??
    (trusted ? await resolveFrom(directory, module) : undefined);
  if (file === undefined)
    throw new Error(`${packageNameOf(module)} is not installed. Run: npm install ${packageNameOf(module)}`);
  return (await import(file)) as T;
}

async function resolveFrom(folder: string, module: string): Promise<string | undefined> {
  const { ResolverFactory } = await import("oxc-resolver");
  const { path } = new ResolverFactory({ conditionNames: ["node", "import"] }).sync(folder, module);
  return path && pathToFileURL(path).href;
}
