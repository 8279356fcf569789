import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const E2E = fileURLToPath(new URL("../../../e2e", import.meta.url));

/** Where the packages of an agent are. */
export function packagesOf(agent: string): string {
  return join(E2E, agent, "node_modules");
}

export function programOf(agent: string, program: string): string {
  return join(packagesOf(agent), ".bin", program);
}

/** Without a network it is known soon that there is none. */
const PATIENCE = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];

/**
 * Installs an agent when its test comes to it; no other test needs it. Answers with the reason where that cannot be done:
 * the test is then skipped, which is said and counted.
 */
export async function installedAgent(agent: string): Promise<string | undefined> {
  if (existsSync(join(packagesOf(agent), ".package-lock.json"))) return undefined;
  try {
    await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund", ...PATIENCE], { cwd: join(E2E, agent) });
    return undefined;
  } catch (error) {
    return `e2e/${agent} could not be installed: ${complaintsIn(error)}`;
  }
}

/** What npm has against it, on one line. */
function complaintsIn(error: unknown): string {
  const { stderr = "" } = error as { stderr?: string };
  const complaints = [...stderr.matchAll(/^npm error (?!A complete log)(.+)$/gm)].map(([, text]) => text);
  return complaints.join(", ") || String(error);
}
