import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

type Package =
  | "acp-sdk"
  | "agent-libraries"
  | "browser"
  | "bun"
  | "claude-agent-sdk"
  | "copilot-sdk"
  | "frameworks"
  | "langchain"
  | "libraries"
  | "mcp-servers"
  | "node-22"
  | "oh-my-pi"
  | "older-frameworks"
  | "pi"
  | "pi-versions";

const E2E = fileURLToPath(new URL("../../e2e", import.meta.url));
const PATIENCE_MS = 300_000;

/** The folders of packages that only tests need. */
export const MODULES: Readonly<Record<Package, string>> = {
  "acp-sdk": join(E2E, "acp-sdk/node_modules"),
  "agent-libraries": join(E2E, "agent-libraries/node_modules"),
  browser: join(E2E, "browser/node_modules"),
  bun: join(E2E, "bun/node_modules"),
  "claude-agent-sdk": join(E2E, "claude-agent-sdk/node_modules"),
  "copilot-sdk": join(E2E, "copilot-sdk/node_modules"),
  frameworks: join(E2E, "frameworks/node_modules"),
  langchain: join(E2E, "langchain/node_modules"),
  libraries: join(E2E, "libraries/node_modules"),
  "mcp-servers": join(E2E, "mcp-servers/node_modules"),
  "node-22": join(E2E, "node-22/node_modules"),
  "older-frameworks": join(E2E, "older-frameworks/node_modules"),
  "oh-my-pi": join(E2E, "oh-my-pi/node_modules"),
  pi: join(E2E, "pi/node_modules"),
  "pi-versions": join(E2E, "pi-versions/node_modules"),
};

/** The folder for PATH, and the program in it. */
export const BUN_FOLDER: string = join(MODULES.bun, ".bin");
export const BUN: string = join(BUN_FOLDER, "bun");

const ONLY_CODE = ["ci", "--omit=optional", "--ignore-scripts"];

/**
 * The npm command and its options: some packages need their install scripts, the others only provide code. oh-my-pi has
 * optional packages for other platforms that not every registry has, so that they are not in the lock file: `npm ci` refuses that.
 */
const COMMANDS: Readonly<Record<Package, readonly string[]>> = {
  "acp-sdk": ONLY_CODE,
  "agent-libraries": ONLY_CODE,
  browser: ONLY_CODE,
  bun: ["ci"],
  "claude-agent-sdk": ["ci"],
  "copilot-sdk": ["ci"],
  frameworks: ONLY_CODE,
  langchain: ["ci", "--ignore-scripts"],
  libraries: ONLY_CODE,
  "mcp-servers": ONLY_CODE,
  "node-22": ["ci"],
  "older-frameworks": ONLY_CODE,
  "oh-my-pi": ["install", "--no-save"],
  pi: ["ci"],
  "pi-versions": ONLY_CODE,
};

/**
 * Installs a package that only tests need, when the first test requests it. Returns the reason if that fails: the test is
 * then skipped, and counted as skipped.
 */
export async function installed(name: Package): Promise<string | undefined> {
  const lock = join(E2E, name, ".installing");
  const deadline = performance.now() + PATIENCE_MS;
  while (!existsSync(join(MODULES[name], ".package-lock.json")) || existsSync(lock)) {
    if (takeLock(lock)) return install(name, lock);
    if (performance.now() > deadline) return `another installation of e2e/${name} does not end: remove ${lock}`;
    await sleep(100);
  }
  return undefined;
}

/** Test files run concurrently; only one of them installs at a time. */
export function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function install(name: Package, lock: string): string | undefined {
  try {
    const args = [...COMMANDS[name], "--no-audit", "--no-fund"];
    execFileSync("npm", args, { cwd: join(E2E, name), stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `e2e/${name} could not be installed: ${error}`;
  } finally {
    rmdirSync(lock);
  }
}
