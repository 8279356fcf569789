import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Case, Sample } from "../harness.ts";
import { built, cleanEnvironment } from "../places.ts";
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

/** What a flood sends to the server until the signal fires. */
type Flood = (server: Server, signal: AbortSignal) => Promise<void>;

const FLOODS: Readonly<Record<string, Flood>> = {
  /** An input with 100,000 keys, again and again. */
  "many-keys": (server, signal) => posting(server, signal, 1, runOf("open", manyKeys())),
  /** A list with 500,000 numbers. */
  "long-list": (server, signal) => posting(server, signal, 1, runOf("open", { list: new Array(500_000).fill(7) })),
  /** A text of 3 MB with many values that look like secrets. */
  secrets: (server, signal) =>
    posting(server, signal, 1, runOf("open", { text: "token=sk-abcdefghijklmnopqrstuvwxyz012345 ".repeat(75_000) })),
  /** A prompt of nearly 1 MB for the demo agent. */
  prompts: (server, signal) =>
    posting(server, signal, 1, ["/api/sessions", JSON.stringify({ agent: "demo", prompt: "say a\n".repeat(160_000) })]),
  /** 150 bodies that do not end. */
  "unfinished-bodies": unfinishedBodies,
  /** More questions than turns may run, and nobody answers. */
  "unanswered-questions": (server, signal) =>
    posting(server, signal, 40, ["/api/sessions", JSON.stringify({ agent: "demo", prompt: "call open {}" })], 40),
};

/** `p99` is that of the calls of one client, in ms. The goal compares it with the same client without a flood. */
export const floods: readonly Case[] = Object.entries(FLOODS).map(([name, flood]) => ({
  name: `flood-${name}`,
  about: `calls of a client beside a flood (${name}), compared with the same client alone`,
  prepare: (folder) => prepared(folder, flood),
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
      for (const flood of Object.values(FLOODS)) await during(ROUND_MS, (signal) => flood(server, signal));
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

async function prepared(folder: string, flood: Flood): Promise<Bench> {
  const server = await start(folder);
  const beside = async (): Promise<Sample> => {
    const stopping = new AbortController();
    const flooding = flood(server, stopping.signal).catch((error: unknown) => error);
    await sleep(500);
    try {
      return await client(server, ROUND_MS, "beside");
    } finally {
      stopping.abort();
      await flooding;
      await sleep(500);
    }
  };
  return {
    contenders: [
      { name: "alone", run: () => client(server, ROUND_MS, "alone") },
      { name: "beside", run: beside },
    ],
    goals: [{ of: "beside", measure: "p99", against: "alone", atMost: 3 }],
    rounds: 3,
    warmUp: 1,
    close: () => stop(server),
  };
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

async function during(ms: number, flood: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const flooding = flood(stopping.signal).catch(() => {});
  await sleep(ms);
  stopping.abort();
  await flooding;
}

/** Sends the request over so many connections, one after another, until the signal fires. */
async function posting(
  server: Server,
  signal: AbortSignal,
  connections: number,
  [path, body]: readonly [string, string],
  atMost = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = atMost;
  const work = async (): Promise<void> => {
    while (!signal.aborted && left > 0) {
      left -= 1;
      await post(server, path, body, signal).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

async function unfinishedBodies({ port, token }: Server, signal: AbortSignal): Promise<void> {
  const head =
    `POST /api/tools/open/run HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 3900000\r\n\r\n";
  const sockets: Socket[] = [];
  for (let index = 0; index < 150 && !signal.aborted; index += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.resume().write(`${head}{"${"x".repeat(3_500_000)}`);
    sockets.push(socket);
    await sleep(5);
  }
  if (!signal.aborted) await once(signal, "abort");
  for (const socket of sockets) socket.destroy();
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

function manyKeys(): object {
  return Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`key${key}`, key]));
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? Number.NaN) / 1024;
}
