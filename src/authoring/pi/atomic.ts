/** The exports of `@bastani/atomic`: those of pi, with the folders of Atomic. */
import { homedir } from "node:os";
import { join } from "node:path";
import { getEnvValue } from "./atomic-values.ts";

export * from "./values.ts";

export const CONFIG_DIR_NAME = ".atomic";
export const LEGACY_CONFIG_DIR_NAME = ".pi";
export const CONFIG_DIR_NAMES: readonly string[] = [CONFIG_DIR_NAME, LEGACY_CONFIG_DIR_NAME];

/** The user folder of Atomic. */
export function getAgentDir(): string {
  const set = getEnvValue("ATOMIC_CODING_AGENT_DIR");
  if (!set) return join(homedir(), CONFIG_DIR_NAME, "agent");
  return set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
}

export function getLegacyAgentDir(): string {
  return join(homedir(), LEGACY_CONFIG_DIR_NAME, "agent");
}

export function getAgentDirs(): string[] {
  return getEnvValue("ATOMIC_CODING_AGENT_DIR") === undefined ? [getAgentDir(), getLegacyAgentDir()] : [getAgentDir()];
}

export function getAgentConfigPaths(...segments: string[]): string[] {
  return getAgentDirs().map((folder) => join(folder, ...segments));
}

export function getUserConfigDirs(): string[] {
  return CONFIG_DIR_NAMES.map((name) => join(homedir(), name));
}

export function getUserConfigPaths(...segments: string[]): string[] {
  return getUserConfigDirs().map((folder) => join(folder, ...segments));
}

export function getProjectConfigDirs(cwd: string): string[] {
  return CONFIG_DIR_NAMES.map((name) => join(cwd, name));
}

export function getProjectConfigPaths(cwd: string, ...segments: string[]): string[] {
  return getProjectConfigDirs(cwd).map((folder) => join(folder, ...segments));
}
