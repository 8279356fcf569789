import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants, startedWith } from "../processes.ts";
import type { Agent } from "./agent.ts";
import { withAgent } from "./prepared-agent.ts";
import { endRest, type RunningAgent } from "./run-agent.ts";

const WAITING = "waiting.txt";

/** Does not hear that it is to stop, and has started a program that does not either. */
const WAIT = `import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const DEAF = 'for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); setInterval(() => {}, 1_000); console.log("ready");';

export default {
  description: "Waits for something that never comes.",
  async execute(_, { directory }) {
    const child = spawn(process.execPath, ["-e", DEAF], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    writeFileSync(join(directory, "${WAITING}"), String(child.pid));
    await new Promise((resolve) => setTimeout(resolve, 1_000_000));
  },
};
`;

/** The processes of ours while a tool ran, by what they were, and all that was left once the agent had gone. */
export interface Interruption {
  readonly ours: readonly ("server" | "host" | "program of the tool")[];
  readonly left: readonly string[];
}

/**
 * Ends an agent in the middle of a call: with Ctrl-C, of which a terminal tells all processes in the group, or so that it
 * cannot do anything any more.
 */
export function interrupt(agent: Agent, how: "SIGINT" | "SIGKILL"): Promise<Interruption> {
  return withAgent(agent, { files: { "wait.ts": WAIT }, calls: [["wait", {}]] }, async ({ at, start }) => {
    const agentRun = start();
    try {
      const program = await waiting(join(at.project, WAITING), agentRun);
      const all = startedWith(at.home);
      const server = pidOf(all.find((line) => line.includes("cli.mjs mcp")));
      const below = descendants(server);
      const ours = [
        ...(server > 0 ? (["server"] as const) : []),
        ...(below.some((line) => line.includes("host.mjs")) ? (["host"] as const) : []),
        ...(below.some((line) => pidOf(line) === program) ? (["program of the tool"] as const) : []),
      ];
      if (how === "SIGINT") process.kill(-pid(agentRun), how);
      else for (const each of without(all, [server, ...below.map(pidOf)])) process.kill(each, how);
      await agentRun.ended;
      return { ours, left: await endRest(at.home) };
    } finally {
      await endRest(at.home);
    }
  });
}

/** The id of the program that the tool has started, once it has. */
async function waiting(file: string, { ended }: RunningAgent): Promise<number> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  ended.then(over, over);
  for (;;) {
    const said = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (said > 0) return said;
    if (isOver) throw new Error(`The agent ended before the tool ran: ${(await ended).stderr}`);
    await sleep(20);
  }
}

function without(lines: readonly string[], pids: readonly number[]): number[] {
  return lines.map(pidOf).filter((each) => !pids.includes(each));
}

function pid({ child }: RunningAgent): number {
  if (child.pid === undefined) throw new Error("The agent did not start.");
  return child.pid;
}

/** Of a line `pid command`. */
function pidOf(line = "0"): number {
  return Number.parseInt(line, 10);
}
