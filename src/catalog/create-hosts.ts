import type { Log } from "../core/log.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import { bunRuntime, nodeRuntime } from "../host/protocol/runtime.ts";
import type { OwnRuns } from "../platform/processes/own-runs.ts";
import type { Environment, Isolation } from "../settings/defaults.ts";
import type { Settings } from "../settings/settings.ts";
import { findBun } from "./hosts/find-bun.ts";
import type { Runtimes } from "./hosts/host-pool.ts";
import { Supervisor } from "./hosts/supervisor.ts";

interface HostsOptions {
  readonly cwd: string;
  readonly worktree: string;
  readonly env: Environment;
  readonly home: string;
  readonly settings: Settings;
  readonly isolation: Isolation;
  readonly log: Log;
  /** The programs that tools run in this process. */
  readonly runs: OwnRuns;
}

/** Host processes, or with `isolation: "none"` this process. Starts no process yet. */
export async function createHosts(options: HostsOptions): Promise<Hosts> {
  const { cwd, worktree, env, log, isolation, runs } = options;
  const { importMs, memoryMb } = options.settings.limits;
  if (isolation !== "none") {
    const runtimes = runtimesFor(options);
    return new Supervisor({ runtimes, cwd, worktree, env, importMs, memoryMb, log, isolation });
  }
  const { InProcess } = await import("../host/process/in-process.ts");
  return new InProcess({ cwd, worktree, importMs, log, runs });
}

/** Bun is searched for once, when the first file needs it. */
function runtimesFor({ env, home, worktree: project, settings }: HostsOptions): Runtimes {
  const { memoryMb } = settings.limits;
  let bun: { path: string | undefined } | undefined;
  return (kind) => {
    const wanted = kind === "bun" || (kind === "node" && settings.runtime === "bun");
    if (!wanted) return nodeRuntime(memoryMb);
    bun ??= { path: findBun(env, { home, project }) };
    if (bun.path !== undefined) return bunRuntime(bun.path);
    return kind === "bun" ? undefined : nodeRuntime(memoryMb);
  };
}

/** Whether the settings choose Bun and Bun is not installed. */
export function bunMissing(options: Pick<HostsOptions, "env" | "home" | "worktree" | "settings">): boolean {
  const { env, home, worktree: project, settings } = options;
  return settings.runtime === "bun" && findBun(env, { home, project }) === undefined;
}
