import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const E2E = fileURLToPath(new URL("../../../e2e", import.meta.url));

/** The `node_modules` folder of an agent. */
export function packagesOf(agent: string): string {
  return join(E2E, agent, "node_modules");
}

export function programOf(agent: string, program: string): string {
  return join(packagesOf(agent), ".bin", program);
}

/** Fail early without a network. */
const PATIENCE = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];

/** Installs an agent if it is not installed. Returns the reason if that fails, with which the test is skipped. */
export async function installedAgent(agent: string): Promise<string | undefined> {
  if (existsSync(join(packagesOf(agent), ".package-lock.json"))) return undefined;
  try {
    await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund", ...PATIENCE], { cwd: join(E2E, agent) });
    return undefined;
  } catch (error) {
    return `e2e/${agent} could not be installed: ${errorsIn(error)}`;
  }
}

/** The errors of npm, on one line. */
function errorsIn(error: unknown): string {
  const { stderr = "" } = error as { stderr?: string };
  const errors = [...stderr.matchAll(/^npm error (?!A complete log)(.+)$/gm)].map(([, text]) => text);
  return errors.join(", ") || String(error);
}
