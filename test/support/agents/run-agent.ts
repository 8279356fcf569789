import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, ending } from "../cli.ts";
import type { Sandbox } from "../fixture.ts";
import { startedWith } from "../processes.ts";

/** How a program ended, and what it had started and not ended, which has been ended since. */
export interface AgentRun extends Ended {
  readonly left: readonly string[];
}

/** A program that has begun to run. */
export interface RunningAgent {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

const PATIENCE_MS = 60_000;
const FAREWELL_MS = 5_000;

/** Starts somebody else's program in the project, with an environment of its own and for a minute at most. */
export function startAgent(
  at: Sandbox,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  { detached = false }: { readonly detached?: boolean } = {},
): RunningAgent {
  const TMPDIR = join(at.root, "tmp");
  mkdirSync(TMPDIR, { recursive: true });
  // Programs written in JavaScript are run by the first node there is.
  const PATH = [dirname(process.execPath), at.env.PATH].join(delimiter);
  const child = spawn(program, args, {
    cwd: at.project,
    env: { ...at.env, PATH, TMPDIR, TERM: "dumb", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached,
  });
  // It may be a program that has started the real one.
  const patience = setTimeout(() => endAll(at.home), PATIENCE_MS);
  return { child, ended: ending(child).finally(() => clearTimeout(patience)) };
}

/** Runs one to its end. */
export async function runAgent(
  at: Sandbox,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<AgentRun> {
  const ended = await startAgent(at, program, args, env).ended;
  return { ...ended, left: await endRest(at.home) };
}

/** Ends what programs with this home have left behind, and says what it was. They may need a moment to see that the others are gone. */
export async function endRest(home: string): Promise<string[]> {
  const deadline = performance.now() + FAREWELL_MS;
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
      // It has ended by itself.
    }
  }
  return running;
}
