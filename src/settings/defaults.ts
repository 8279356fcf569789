import { isAbsolute, join, resolve } from "node:path";
import type { Mode } from "../core/permission-mode.ts";

/** The runtime of the host processes. */
export type Runtime = "node" | "bun";
/** How tool files share host processes; `none` runs them in this process. */
export type Isolation = "shared" | "file" | "none";

/** The limits of every tool, unless the tool or the settings change them. */
export interface GlobalLimits {
  readonly timeoutMs: number;
  readonly importMs: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly memoryMb: number;
}

/** The values of settings that no file sets. */
export const DEFAULTS: {
  readonly limits: GlobalLimits;
  readonly agents: { readonly idleMs: number; readonly maxTaskTokens: number; readonly maxTurns: number };
  readonly outputs: { readonly keepDays: number; readonly maxMb: number };
  readonly sessions: { readonly keepDays: number; readonly maxMb: number };
  readonly runtime: Runtime;
  readonly isolation: Isolation;
  readonly mode: Mode;
} = {
  limits: { timeoutMs: 120_000, importMs: 10_000, maxLines: 2000, maxBytes: 50_000, memoryMb: 512 },
  agents: { idleMs: 300_000, maxTaskTokens: 5_000_000, maxTurns: 32 },
  outputs: { keepDays: 7, maxMb: 1024 },
  sessions: { keepDays: 90, maxMb: 1024 },
  runtime: "node",
  isolation: "shared",
  mode: "default",
};

/** Environment variables. They are passed as a parameter: no module reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folders of one user. All are absolute; none need exist. */
export interface Homes {
  readonly home: string;
  /** Settings, trust, tools and state. */
  readonly toolwrightHome: string;
  /** Files that can be deleted. */
  readonly cache: string;
}

/** The folders of the user. A relative `TOOLWRIGHT_HOME` starts at `cwd`, else at the home folder. */
export function homes(
  env: Environment,
  osHome: string,
  at: { readonly cwd?: string; readonly platform?: NodeJS.Platform } = {},
): Homes {
  const platform = at.platform ?? process.platform;
  const home = (platform === "win32" ? env.USERPROFILE || env.HOME : env.HOME) || osHome;
  const base = at.cwd ?? home;
  const moved = env.TOOLWRIGHT_HOME ? resolve(base, expandHome(env.TOOLWRIGHT_HOME, home)) : undefined;
  return {
    home,
    toolwrightHome: moved ?? join(home, ".toolwright"),
    cache: env.TOOLWRIGHT_CACHE
      ? resolve(base, expandHome(env.TOOLWRIGHT_CACHE, home))
      : cacheFolder(env, home, platform, moved),
  };
}

/** Expands `~` and `~/…` to the home folder. Other paths stay unchanged. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") || path.startsWith("~\\") ? join(home, path.slice(2)) : path;
}

/** `TOOLWRIGHT_HOME` moves the cache too. */
function cacheFolder(env: Environment, home: string, platform: NodeJS.Platform, moved: string | undefined): string {
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && isAbsolute(xdg)) return join(xdg, "toolwright");
  if (moved !== undefined) return join(moved, "cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "toolwright");
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "toolwright", "cache");
  return join(home, ".cache", "toolwright");
}
