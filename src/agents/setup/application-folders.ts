import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { xdgFolder } from "../../catalog/discovery/agent-homes.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { AgentSetup, UserEnvironment } from "./agent.ts";

/** Where desktop applications keep their files. */
export function applicationFolder(environment: UserEnvironment): string {
  if (environment.platform === "darwin") return join(environment.home, "Library", "Application Support");
  return environment.platform === "win32" ? roamingFolder(environment) : xdgFolder(environment);
}

/** `%APPDATA%`. */
export function roamingFolder({ env, home }: UserEnvironment): string {
  return env.APPDATA || join(home, "AppData", "Roaming");
}

/**
 * The folder that Windows shows to a packaged application as `%APPDATA%`, for the package whose name starts with `prefix`.
 * A packaged application does not see files in the real `%APPDATA%`.
 */
export function packagedRoamingFolder(prefix: string, { env, home }: UserEnvironment): string | undefined {
  const packages = join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "Packages");
  const found = namesIn(packages).find((name) => name.startsWith(prefix));
  return found === undefined ? undefined : join(packages, found, "LocalCache", "Roaming");
}

/** The first of these paths that exists, else the last. */
export function firstExistingPath(...paths: readonly [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? (paths.at(-1) as string);
}

function namesIn(folder: string): string[] {
  return tryOrUndefined(() => readdirSync(folder).sort()) ?? [];
}

/** The same path in the home folder and in a project. */
export function inHomeAndProject(path: string): AgentSetup["files"] {
  const at = (folder: string): [string] => [join(folder, ...path.split("/"))];
  return { user: ({ home }) => at(home), project: at };
}
