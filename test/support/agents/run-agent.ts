import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, ending } from "../cli.ts";
import type { Sandbox } from "../fixture.ts";
import { startedWith } from "../processes.ts";

/** How an agent ended. `left` lists the processes that it left behind; they have been killed. */
export interface AgentRun extends Ended {
  readonly left: readonly string[];
}

export interface RunningAgent {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

const TIMEOUT_MS = 60_000;
const GRACE_MS = 5_000;

/** Starts an agent in the project with a clean environment. Kills it after a minute. */
export function startAgent(
  at: Sandbox,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  { detached = false, stdin = "ignore" }: { readonly detached?: boolean; readonly stdin?: "ignore" | "pipe" } = {},
): RunningAgent {
  const TMPDIR = join(at.root, "tmp");
  mkdirSync(TMPDIR, { recursive: true });
  // Agents written in JavaScript run on the first `node` on PATH.
  const PATH = [dirname(process.execPath), at.env.PATH].join(delimiter);
  const child = spawn(program, args, {
    cwd: at.project,
    env: { ...at.env, PATH, TMPDIR, TERM: "dumb", ...env },
    stdio: [stdin, "pipe", "pipe"],
    detached,
  });
  // The child may be a launcher, so all processes of this home are killed.
  const patience = setTimeout(() => endAll(at.home), TIMEOUT_MS);
  return { child, ended: ending(child).finally(() => clearTimeout(patience)) };
}

export async function runAgent(
  at: Sandbox,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<AgentRun> {
  const ended = await startAgent(at, program, args, env).ended;
  return { ...ended, left: await endRest(at.home) };
}

/** Kills the processes with this home that still run after a grace period, and returns them. */
export async function endRest(home: string): Promise<string[]> {
  const deadline = performance.now() + GRACE_MS;
  while (performance.now() < deadline) {
    if (startedWith(home).length === 0) return [];
    await sleep(50);
  }
  return endAll(home);
}

function endAll(home: string): string[] {
  const running = startedWith(home);
  for (const line of running) {
    try {
      process.kill(Number.parseInt(line, 10), "SIGKILL");
    } catch {
      // Already ended.
    }
  }
  return running;
}
