import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { xdgFolder } from "../discovery/agent-homes.ts";
import type { Surroundings } from "./agent.ts";

/** Where programs with windows keep their files on this system. */
export function applicationFolder(at: Surroundings): string {
  if (at.platform === "darwin") return join(at.home, "Library", "Application Support");
  return at.platform === "win32" ? roamingFolder(at) : xdgFolder(at);
}

/** `%APPDATA%`. */
export function roamingFolder({ env, home }: Surroundings): string {
  return env.APPDATA || join(home, "AppData", "Roaming");
}

/**
 * What Windows shows a packaged program in the place of `%APPDATA%`, for the package whose name begins so; undefined
 * where there is none. Such a program never sees a file in the real one.
 */
export function packagedRoamingFolder(prefix: string, { env, home }: Surroundings): string | undefined {
  const packages = join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "Packages");
  const found = namesIn(packages).find((name) => name.startsWith(prefix));
  return found === undefined ? undefined : join(packages, found, "LocalCache", "Roaming");
}

/** The first of these paths that exists, else the last. */
export function firstThere(...paths: readonly [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? (paths.at(-1) as string);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
