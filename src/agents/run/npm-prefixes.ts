import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { AgentContext } from "../../core/coding-agent.ts";
import { findProgram } from "../../platform/processes/find-program.ts";

/** The folders in which `npm install --global` may have installed packages, most likely first. They need not exist. */
export function npmPrefixes({ env, home, root, trusted }: AgentContext): string[] {
  const isWindows = process.platform === "win32";
  const npm = findProgram("npm", env, trusted ? undefined : root, [isWindows ? ".cmd" : ""]);
  const found = [
    env.npm_config_prefix ?? env.NPM_CONFIG_PREFIX,
    prefixIn(join(home, ".npmrc"), home),
    ...(isWindows
      ? [env.APPDATA && join(env.APPDATA, "npm"), npm && dirname(npm), dirname(process.execPath)]
      : [npm && dirname(dirname(npm)), dirname(dirname(process.execPath))]),
  ];
  return [...new Set(found.filter((prefix) => prefix !== undefined && isAbsolute(prefix)) as string[])];
}

/** `prefix` of the user's npm configuration. */
function prefixIn(file: string, home: string): string | undefined {
  try {
    const [, value] = /^\s*prefix\s*=\s*"?(.+?)"?\s*$/m.exec(readFileSync(file, "utf8")) ?? [];
    return value?.replace(/^~(?=[\\/]|$)|\$\{HOME\}/g, () => home);
  } catch {
    return undefined;
  }
}
