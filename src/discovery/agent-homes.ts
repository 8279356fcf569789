import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../config/options.ts";

/** What decides where an agent keeps its files. */
export interface AgentHomes {
  readonly env: Environment;
  readonly home: string;
  /** Where the agent would be started. */
  readonly cwd: string;
}

/**
 * The folder that a variable names, else the usual one. As the agents have it: an empty variable counts as none, a relative
 * path starts where the agent does, and `~` is a name like any other, since a shell would have filled it in.
 */
export function folderNamedBy(variable: string, otherwise: string, { env, cwd }: AgentHomes): string {
  const named = env[variable];
  return named ? resolve(cwd, named) : otherwise;
}

/** `$XDG_CONFIG_HOME`, else `~/.config`: on every system, as programs made for terminals have it. */
export function xdgFolder({ env, home }: AgentHomes): string {
  const named = env.XDG_CONFIG_HOME;
  return named && isAbsolute(named) ? named : join(home, ".config");
}

/** Where Claude Code keeps settings, plugins and sessions. */
export function claudeFolder(at: AgentHomes): string {
  return folderNamedBy("CLAUDE_CONFIG_DIR", join(at.home, ".claude"), at);
}

/** The file in which Claude Code has the user's servers: one of its first versions' is used for as long as it holds something. */
export function claudeFile(at: AgentHomes): string {
  const old = join(claudeFolder(at), ".config.json");
  return holdsSomething(old) ? old : join(folderNamedBy("CLAUDE_CONFIG_DIR", at.home, at), ".claude.json");
}

/** Where Copilot CLI keeps everything. It does not look at `$XDG_CONFIG_HOME`. */
export function copilotFolder(at: AgentHomes): string {
  return folderNamedBy("COPILOT_HOME", join(at.home, ".copilot"), at);
}

function holdsSomething(file: string): boolean {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size > 0;
  } catch {
    return false;
  }
}
