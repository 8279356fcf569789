import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Case, Sample } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";
import { percentile } from "../statistics.ts";

const TOOL = `export default {
  description: "Repeats a line in capital letters.",
  args: { text: { type: "string" } },
  execute: ({ text }) => text.toUpperCase(),
};
`;
const OPEN_TOOL = `export default {
  description: "Takes any input.",
  parameters: { type: "object" },
  execute: () => "done",
};
`;
/** How long a client is measured, and a flood lasts. */
const ROUND_MS = 3_000;

/** A running `toolwright serve`. */
interface Server {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  readonly child: ChildProcess;
}

/** The floods of `programs/flood.ts`. */
const FLOODS = ["many-keys", "long-list", "secrets", "prompts", "unfinished-bodies", "unanswered-questions"] as const;

/** `p99` is that of the calls of one client, in ms. The goal compares it with the same client without a flood. */
export const floods: readonly Case[] = FLOODS.map((name) => ({
  name: `flood-${name}`,
  about: `calls of a client beside a flood (${name}), compared with the same client alone`,
  prepare: (folder) => prepared(folder, name),
}));

/** `ratio` is the memory of the server one minute after all floods, divided by that of the idle server. */
export const floodMemory: Case = {
  name: "flood-memory",
  about: "the memory of the server one minute after all floods, compared with that of the idle server",
  async prepare(folder) {
    const server = await start(folder);
    const run = async (): Promise<Sample> => {
      await client(server, ROUND_MS, "warm up");
      const idle = residentMb(server.pid);
      for (const name of FLOODS) await beside(server, name, () => sleep(ROUND_MS));
      const most = residentMb(server.pid);
      await sleep(60_000);
      const after = residentMb(server.pid);
      return { idle, most, after, ratio: after / idle };
    };
    return {
      contenders: [{ name: "serve", run }],
      goals: [{ of: "serve", measure: "ratio", atMost: 1.5, unit: "×" }],
      rounds: 1,
      warmUp: 0,
      close: () => stop(server),
    };
  },
};

async function prepared(folder: string, name: string): Promise<Bench> {
  const server = await start(folder);
  const measured = (text: string): Promise<Sample> => client(server, ROUND_MS, text);
  return {
    contenders: [
      { name: "alone", run: () => measured("alone") },
      { name: "beside", run: () => beside(server, name, () => measured("beside")) },
    ],
    goals: [{ of: "beside", measure: "p99", against: "alone", atMost: 3 }],
    rounds: 5,
    warmUp: 1,
    close: () => stop(server),
  };
}

/** Does the work while another process floods the server. */
async function beside<T>({ port, token }: Server, name: string, work: () => Promise<T>): Promise<T> {
  const flood = spawn(process.execPath, [program("flood.ts"), name, String(port), token], { stdio: "ignore" });
  await sleep(1_000);
  try {
    return await work();
  } finally {
    flood.kill("SIGKILL");
    await once(flood, "exit");
    await sleep(500);
  }
}

async function start(folder: string): Promise<Server> {
  const tools = join(folder, ".toolwright", "tools");
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "shout.js"), TOOL);
  writeFileSync(join(tools, "open.js"), OPEN_TOOL);
  const env = cleanEnvironment(folder);
  mkdirSync(env.TOOLWRIGHT_HOME ?? "", { recursive: true });
  const settings = { permissions: [{ tool: "shout", action: "allow" }] };
  writeFileSync(join(env.TOOLWRIGHT_HOME ?? "", "settings.json"), JSON.stringify(settings));
  const child = spawn(process.execPath, [built("cli"), "serve", "--trust", "--port", "0", "--json"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(createInterface({ input: child.stdout as Readable }), "line");
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
  return { port: Number(new URL(url).port), token, pid: child.pid as number, child };
}

async function stop({ child }: Server): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Calls a tool twenty times a second. The time of a call counts from when it is due: a blocked server delays many. */
async function client(server: Server, ms: number, text: string): Promise<Sample> {
  const times: number[] = [];
  const [path, body] = runOf("shout", { text });
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const startedAt = performance.now();
    const { ok } = await post(server, path, body, AbortSignal.timeout(60_000));
    if (!ok) throw new Error("A call of the healthy client was refused.");
    times.push(performance.now() - startedAt);
    await sleep(Math.max(0, 50 - (performance.now() - startedAt)));
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function post(
  { port, token }: Server,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<{ ok: boolean }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
    signal,
  });
  const text = await response.text();
  return { ok: response.ok && !text.includes('"ok":false') };
}

function runOf(tool: string, input: object): readonly [string, string] {
  return [`/api/tools/${tool}/run`, JSON.stringify({ input })];
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? Number.NaN) / 1024;
}
