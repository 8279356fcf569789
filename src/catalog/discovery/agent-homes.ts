import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../settings/defaults.ts";

/** The environment that determines where agents store their files. */
export interface AgentHomes {
  readonly env: Environment;
  readonly home: string;
  /** The working directory of the agent. */
  readonly cwd: string;
}

/**
 * The folder that an environment variable names, else the default. As in the agents, an empty variable counts as unset, a
 * relative path starts at the working directory, and `~` is not expanded.
 */
export function folderNamedBy(variable: string, fallback: string, { env, cwd }: AgentHomes): string {
  const named = env[variable];
  return named ? resolve(cwd, named) : fallback;
}

/** `$XDG_CONFIG_HOME`, else `~/.config`, on every platform. */
export function xdgFolder({ env, home }: AgentHomes): string {
  const named = env.XDG_CONFIG_HOME;
  return named && isAbsolute(named) ? named : join(home, ".config");
}

/** `$XDG_CACHE_HOME`, else `~/.cache`, on every platform. */
export function xdgCache({ env, home }: AgentHomes): string {
  const named = env.XDG_CACHE_HOME;
  return named && isAbsolute(named) ? named : join(home, ".cache");
}

/** Where Claude Code keeps settings, plugins and sessions. */
export function claudeFolder(at: AgentHomes): string {
  return folderNamedBy("CLAUDE_CONFIG_DIR", join(at.home, ".claude"), at);
}

/** The file in which Claude Code keeps the user's servers. It prefers the file of its first versions if that is not empty. */
export function claudeFile(at: AgentHomes): string {
  const old = join(claudeFolder(at), ".config.json");
  return isNotEmpty(old) ? old : join(folderNamedBy("CLAUDE_CONFIG_DIR", at.home, at), ".claude.json");
}

/** Where Copilot CLI keeps its files. It ignores `$XDG_CONFIG_HOME`. */
export function copilotFolder(at: AgentHomes): string {
  return folderNamedBy("COPILOT_HOME", join(at.home, ".copilot"), at);
}

/** Where pi (`.pi`) and oh-my-pi (`.omp`) keep the user's files. Both use the same variable. */
export function piFolder(name: ".pi" | ".omp", at: AgentHomes): string {
  return folderNamedBy("PI_CODING_AGENT_DIR", join(at.home, name, "agent"), at);
}

/** Where OpenClaw keeps the user's files. */
export function openClawFolder(at: AgentHomes): string {
  return folderNamedBy("OPENCLAW_STATE_DIR", join(at.home, ".openclaw"), at);
}

function isNotEmpty(file: string): boolean {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size > 0;
  } catch {
    return false;
  }
}
