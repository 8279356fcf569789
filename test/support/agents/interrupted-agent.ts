import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants, startedWith } from "../processes.ts";
import type { Agent } from "./agent.ts";
import { withAgent } from "./prepared-agent.ts";
import { endRest, type RunningAgent } from "./run-agent.ts";

const WAITING = "waiting.txt";

/** A tool that ignores the abort signal, with a child process that ignores signals. */
const WAIT = `import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const IGNORES_SIGNALS = 'for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); setInterval(() => {}, 1_000); console.log("ready");';

export default {
  description: "Waits for something that never comes.",
  async execute(_, { directory }) {
    const child = spawn(process.execPath, ["-e", IGNORES_SIGNALS], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    writeFileSync(join(directory, "${WAITING}"), String(child.pid));
    await new Promise((resolve) => setTimeout(resolve, 1_000_000));
  },
};
`;

/** Toolwright's processes during the call, and the processes that still run after the agent has ended. */
export interface Interruption {
  readonly ours: readonly ("server" | "host" | "program of the tool")[];
  readonly left: readonly string[];
}

/** Ends an agent during a call: SIGINT goes to the process group, like Ctrl-C; SIGKILL to the agent's processes only. */
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

/** The pid of the child process of the tool, once the tool has started it. */
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

/** The pid in a line `pid command`. */
function pidOf(line = "0"): number {
  return Number.parseInt(line, 10);
}
