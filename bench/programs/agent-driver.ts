/** Runs turns of an agent, through Toolwright or through its SDK. Started by the cases of agents. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processTree } from "../tree-cpu.ts";
import { ANSWERS, CALLS, PROMPTS } from "./agent-prompts.ts";
import { SDKS } from "./agent-sdks.ts";
import type { Talker, TalkersOptions } from "./agent-talkers.ts";
import { toolwright } from "./agent-toolwright.ts";

/** Each request has the whole conversation, so that later rounds of a session take longer. */
const ROUNDS_OF_SESSION = 3;

const options = JSON.parse(process.argv[3] ?? "{}") as TalkersOptions;
const start = process.argv[2] === "toolwright" ? toolwright : SDKS[options.agent];
if (!start) throw new Error(`No SDK is known for ${options.agent}.`);
const talkers = await start(options);
const idle: Talker[] = [];
let talker = await talkers.open();
let rounds = 0;

process.on("message", async ({ sessions }: { sessions?: number }) => {
  process.send?.(sessions === undefined ? await times() : await memory(sessions));
});
process.on("disconnect", async () => {
  await talkers.close();
  process.exit();
});
process.send?.("ready");

/** `turn` is the time of a turn without calls, `call` that of a call with the request for it. */
async function times(): Promise<Record<string, number>> {
  if (rounds++ % ROUNDS_OF_SESSION === 0) {
    talker = await talkers.open();
    await timed(talker, "turn");
  }
  const turn = await timed(talker, "turn");
  return { turn, call: (await timed(talker, "calls")) / CALLS };
}

async function timed(to: Talker, what: keyof typeof PROMPTS): Promise<number> {
  const startedAt = performance.now();
  const text = await to.send(PROMPTS[what]);
  const ms = performance.now() - startedAt;
  if (text !== ANSWERS[what]) throw new Error(`The agent said: ${text}`);
  return ms;
}

/** `mb` is the memory of an idle session, with the processes of the agent. */
async function memory(sessions: number): Promise<Record<string, number>> {
  await timed(talker, "turn");
  const before = await usedMb();
  for (let n = 0; n < sessions; n += 1) {
    const opened = await talkers.open();
    await timed(opened, "turn");
    idle.push(opened);
  }
  return { mb: ((await usedMb()) - before) / sessions };
}

/** The heap of this process, and the private memory of its descendants. */
async function usedMb(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    await sleep(100);
    globalThis.gc?.();
  }
  const children = processTree(process.pid).reduce((sum, pid) => sum + (pid === process.pid ? 0 : privateMb(pid)), 0);
  return process.memoryUsage().heapUsed / 2 ** 20 + children;
}

function privateMb(pid: number): number {
  try {
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1").matchAll(/^Private_\w+:\s*(\d+) kB$/gm);
    return [...lines].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1024;
  } catch {
    return 0;
  }
}
