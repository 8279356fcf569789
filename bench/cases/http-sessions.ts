import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Client, createClient } from "../../src/surfaces/http/client/index.ts";
import { reply } from "../driver.ts";
import type { Bench, Case, Contender, Goal, Sample } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";
import { percentile } from "../statistics.ts";

const SESSIONS = 200;
const PROMPT = 'say One moment\ncall shout {"text":"hello"}\nsay Done';
const TOOL = `export default {
  description: "Repeats a line in capital letters.",
  args: { text: { type: "string" } },
  execute: ({ text }) => text.toUpperCase(),
};
`;

/**
 * `wall` is the time in ms until all sessions have ended, `p99` that of the slowest, from its request to its end, `kb` the
 * memory of the server for each session.
 */
export const httpSessions: Case = {
  name: "http-sessions",
  about: `${SESSIONS} sessions of the agent "demo" at once, created and followed over HTTP, compared with the same turns in one process`,
  prepare: (folder) =>
    prepared(folder, { sessions: SESSIONS, prompt: PROMPT }, many, 8, [
      { of: "http", measure: "kb", atMost: 500, unit: "KB" },
    ]),
};

/** `ms` is the time from the request to the first event of the agent. */
export const httpFirstEvent: Case = {
  name: "http-first-event",
  about: "POST /api/sessions until the first event of the agent arrives, compared with a direct call of the agent",
  prepare: (folder) =>
    prepared(folder, { prompt: "say Hello" }, first, 20, [
      { of: "http", measure: "ms", against: "direct", atMost: 1.1, orPlus: 10 },
    ]),
};

async function prepared(
  folder: string,
  direct: { readonly sessions?: number; readonly prompt: string },
  run: (client: Client, pid: number) => Promise<Sample>,
  rounds: number,
  goals: readonly Goal[],
): Promise<Bench> {
  const [served, inProcess] = [place(folder, "served"), place(folder, "direct")];
  const server = spawn(process.execPath, [built("cli"), "serve", "--trust", "--port", "0", "--json"], {
    cwd: served,
    env: cleanEnvironment(served),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: server.stdout as Readable }), "line");
  const client = createClient(JSON.parse(String(line)) as { url: string; token: string });
  const driver = spawn(process.execPath, [program("session-turns.ts"), inProcess, built("library"), built("agents")], {
    cwd: inProcess,
    env: cleanEnvironment(inProcess),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await reply(driver);
  const contenders: Contender[] = [
    { name: "http", run: () => run(client, server.pid as number) },
    {
      name: "direct",
      async run() {
        driver.send(direct);
        return (await reply(driver)) as Sample;
      },
    },
  ];
  const close = async (): Promise<void> => {
    driver.disconnect();
    server.kill("SIGTERM");
    await Promise.all([server, driver].map(ended));
  };
  return { contenders, goals, rounds, warmUp: 2, close };
}

/** A project with a tool, whose calls are allowed. All turns run at the same time. */
function place(parent: string, name: string): string {
  const folder = join(parent, name);
  const tools = join(folder, ".toolwright", "tools");
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "shout.js"), TOOL);
  const { TOOLWRIGHT_HOME = "" } = cleanEnvironment(folder);
  mkdirSync(TOOLWRIGHT_HOME, { recursive: true });
  const settings = { permissions: [{ tool: "shout", action: "allow" }], agents: { maxTurns: SESSIONS } };
  writeFileSync(join(TOOLWRIGHT_HOME, "settings.json"), JSON.stringify(settings));
  return folder;
}

async function many({ sessions }: Client, pid: number): Promise<Sample> {
  const before = residentKb(pid);
  const startedAt = performance.now();
  const times = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const { id } = await sessions.create({ agent: "demo", prompt: PROMPT });
      for await (const { event } of sessions.events(id)) if (event === "completed") break;
      return performance.now() - startedAt;
    }),
  );
  const wall = performance.now() - startedAt;
  const kb = (residentKb(pid) - before) / SESSIONS;
  return { wall, p99: percentile(times, 0.99), perSecond: (SESSIONS / wall) * 1_000, kb };
}

async function first({ sessions }: Client): Promise<Sample> {
  const startedAt = performance.now();
  const { id } = await sessions.create({ agent: "demo", prompt: "say Hello" });
  for await (const { event, data } of sessions.events(id)) {
    if (event === "message" && data.role === "user") continue;
    const ms = performance.now() - startedAt;
    return { ms };
  }
  throw new Error("There was no event.");
}

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? Number.NaN);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
