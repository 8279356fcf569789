import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FollowedEvent } from "../../../src/core/session-log.ts";
import { type Ended, ending } from "../cli.ts";
import type { AgentWorld } from "./agent-world.ts";
import type { TurnProcessOptions } from "./turn-process.ts";

const PROGRAM = fileURLToPath(new URL("./turn-process.ts", import.meta.url));

interface OneTurn {
  readonly sessionID: string;
  readonly prompt: string;
}

/** Starts another process that runs one turn, with the environment of the agents. */
export function startTurnProcess(
  { at, env, row, sendOptions }: AgentWorld,
  turn: OneTurn,
): { readonly pid: number; readonly ended: Promise<Ended> } {
  const source = row.source ? { agents: row.source.module } : {};
  const options: TurnProcessOptions = { cwd: at.project, ...turn, options: sendOptions, ...source };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    cwd: at.project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { pid: child.pid ?? 0, ended: ending(child) };
}

/** Runs one turn in another process. */
export async function runTurnProcess(
  world: AgentWorld,
  turn: OneTurn,
): Promise<{ readonly events: readonly FollowedEvent[]; readonly stderr: string }> {
  const { code, stdout, stderr } = await startTurnProcess(world, turn).ended;
  if (code !== 0) throw new Error(`The process ended with ${code}: ${stderr}`);
  const events = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as FollowedEvent);
  return { events, stderr };
}
