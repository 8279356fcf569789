/**
 * Measures a session with many events, or a store with many sessions. Started by the cases `session-growth` and `session-count`:
 * `session-growth.ts FOLDER LIBRARY AGENTS events|sessions COUNT`. With `hold`, it opens the store and waits to be killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { AgentSource } from "../../src/core/coding-agent.ts";
import type { DurableEvent } from "../../src/core/session-log.ts";
import type { NewEvent, SessionStore } from "../../src/core/session-store.ts";
import { exportSession } from "../../src/sessions/transcript/export-session.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";

const [folder = "", library = "", agents = "", what = "", counted = ""] = process.argv.slice(2);
const count = Number(counted);
const BATCH = 2_000;
const KEYS = 20;

type Sample = Record<string, number>;

const { createToolbox } = (await import(pathToFileURL(library).href)) as {
  createToolbox(options: ToolboxOptions): Promise<Toolbox>;
};
const { knownAgents } = (await import(pathToFileURL(agents).href)) as { knownAgents: AgentSource };
const open = (): Promise<Toolbox> =>
  createToolbox({ cwd: folder, onlyGiven: true, sessions: "disk", agents: knownAgents });

/** The longest delay of a timer in the same event loop, and the most CPU time of this thread between two of its runs, in ms. */
const loop = { block: 0, held: 0, at: performance.now(), cpu: cpuMs() };
setInterval(() => {
  const [at, cpu] = [performance.now(), cpuMs()];
  loop.block = Math.max(loop.block, at - loop.at - 1);
  loop.held = Math.max(loop.held, cpu - loop.cpu);
  Object.assign(loop, { at, cpu });
}, 1).unref();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

if (what === "hold") await hold();
else {
  await (what === "events" ? fillSession() : fillStore());
  process.on("message", async () => void process.send?.(await (what === "events" ? useSession() : useStore())));
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}

async function fillSession(): Promise<void> {
  const toolbox = await open();
  const store = await toolbox.sessions.store();
  await store.create({ id: "s", directory: folder, agent: "demo" });
  for (let left = count - 1; left > 0; left -= BATCH) await store.append("s", eventsOf(Math.min(left, BATCH)));
  // A turn, as each session has had.
  await turn(toolbox);
  await toolbox.close();
}

/** Turns of eight events. */
function eventsOf(events: number): NewEvent[] {
  const all = Array.from({ length: Math.ceil(events / 8) }, (_, n) => turnOf(n)).flat();
  return [...all.slice(0, events - 1), { type: "session.idle", text: "done" }];
}

function turnOf(n: number): DurableEvent[] {
  const call = { callID: `c${n}`, tool: "t", messageID: `a${n}`, agent: "demo" };
  const text = (value: string) => [{ type: "text", text: value } as const];
  const result = { ok: true, content: text("result ".repeat(20)), notes: { durationMs: 1 } } as const;
  return [
    { type: "message.user", messageID: `u${n}`, content: text(`Prompt ${n}`) },
    { type: "message.complete", messageID: `a${n}`, content: text("a line of text ".repeat(10)) },
    { type: "tool.start", ...call, input: { n }, caller: "agent" },
    { type: "tool.complete", ...call, result },
    { type: "usage", inputTokens: 10 },
    { type: "state.set", of: "tools", key: `k${n % KEYS}`, value: n },
    { type: "message.complete", messageID: `b${n}`, content: text("done") },
    { type: "session.idle", text: "done" },
  ];
}

/** All times are in ms. */
async function useSession(): Promise<Sample> {
  const toolbox = await open();
  const store = await toolbox.sessions.store();
  await sleep(20);
  Object.assign(loop, { block: 0, held: 0 });
  const times: Sample = {};
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    times[name] = performance.now() - startedAt;
    await sleep(5);
  };
  await timed("open", () => toolbox.sessions.open("s"));
  await timed("turn", () => turn(toolbox));
  await timed("append", () => store.append("s", [{ type: "usage" }]));
  const info = await store.get("s");
  if (!info) throw new Error("The session is missing.");
  const { position } = info;
  await timed("tail", () => follow(store, position - 1, position));
  await timed("page", () => store.read("s", Math.max(0, position - 100), 100));
  await timed("follow", () => follow(store, 0, position));
  await timed("jsonl", () => drain(exportSession(store, info, "jsonl")));
  await timed("markdown", () => drain(exportSession(store, info, "markdown")));
  await timed("branch", () => store.branch("s", position, { id: "branch" }));
  await timed("remove", () => store.remove("branch"));
  const { block, held } = loop;
  await spaceReturned();
  await toolbox.close();
  return { ...times, block, held };
}

/** The space of the removed branch is returned in the background. */
async function spaceReturned(): Promise<void> {
  const file = join(process.env.TOOLWRIGHT_HOME ?? "", "sessions.db");
  for (let [size, before] = [0, -1]; size !== before; ) {
    before = size;
    await sleep(500);
    size = statSync(file).size;
  }
}

async function turn(toolbox: Toolbox): Promise<void> {
  const result = await toolbox.sessions.send("s", "say Hello", { agent: "demo" }).result;
  if (!result.ok) throw new Error(result.error.message);
}

async function follow(store: SessionStore, after: number, last: number): Promise<void> {
  const stop = new AbortController();
  for await (const event of store.follow("s", after, stop.signal)) {
    if ("position" in event && event.position >= last) break;
  }
  stop.abort();
}

async function drain(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts);
}

async function fillStore(): Promise<void> {
  const toolbox = await open();
  const store = await toolbox.sessions.store();
  const add = async (n: number): Promise<void> => {
    await store.create({ id: `id-${n}`, directory: folder, title: `Session about subject ${(n * 7919) % 1000}` });
    await store.append(`id-${n}`, eventsOf(8));
  };
  for (let n = 0; n < count; n += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - n) }, (_, at) => add(n + at)));
  await toolbox.close();
}

async function useStore(): Promise<Sample> {
  await killed();
  Object.assign(loop, { block: 0, held: 0 });
  const startedAt = performance.now();
  const toolbox = await open();
  const store = await toolbox.sessions.store();
  const times: Sample = { start: performance.now() - startedAt };
  for (const [name, options] of [
    ["list", {}],
    ["all", { allProjects: true }],
    ["search", { search: "SUBJECT 77" }],
    ["rare", { search: "no title has this" }],
    ["short", { search: "qz" }],
    ["status", { status: "error" }],
  ] as const) {
    const at = performance.now();
    await store.list(options);
    times[name] = performance.now() - at;
    await sleep(5);
  }
  const { block, held } = loop;
  await toolbox.close();
  return { ...times, block, held };
}

/** A process with an open session was killed. */
async function killed(): Promise<void> {
  const child = spawn(process.execPath, [process.argv[1] ?? "", folder, library, agents, "hold", "0"], {
    env: process.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function hold(): Promise<void> {
  const toolbox = await open();
  const store = await toolbox.sessions.store();
  const { id } = await store.create({ directory: folder });
  await store.claim(id, "turn", [{ type: "message.user", messageID: "m", content: [] }]);
  process.stdout.write("ready\n");
  await sleep(2 ** 30);
}
