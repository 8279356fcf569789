import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./fixture.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built program. */
export const CLI: string = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url));

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options; by default, stdin is empty and the folder is that of the project. */
export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Piped to stdin, which is then closed; without it stdin is /dev/null. */
  readonly input?: string;
}

/** Builds the program if it is not built yet. */
export function ensureBuilt(): void {
  if (existsSync(CLI)) return;
  const { status, stderr } = spawnSync(process.execPath, ["node_modules/tsdown/dist/run.mjs"], { cwd: ROOT });
  if (status !== 0) throw new Error(`The build failed: ${stderr}`);
}

/** Runs the built program to its end, without the environment of this process. */
export async function cli(at: Sandbox, args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd ?? at.project,
    env: { ...at.env, ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(options.input);
  return ending(child);
}

/** Waits for a process and collects its output. */
export async function ending(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** The one JSON document on stdout. */
export function json<T = Record<string, unknown>>({ stdout }: Ended): T {
  return JSON.parse(stdout) as T;
}
