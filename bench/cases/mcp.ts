import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onOneCore, reply } from "../driver.ts";
import { type Case, type Contender, type Sample, timesPeer } from "../harness.ts";
import { built, checkNoSessions, cleanEnvironment, program } from "../places.ts";
import type { Block, Drive } from "../programs/mcp-driver.ts";
import { launch, preparePeers, writeTools } from "../programs/mcp-peers.ts";
import { connectStdio, INITIALIZE_PARAMS, type Launch } from "../programs/mcp-stdio-client.ts";
import { treeCpuMs } from "../tree-cpu.ts";

const OURS = "toolwright";
const SDK_AND_ECHO = "sdk+echo";
const AT_ONCE = 32;
const CALLS = { stdio: 1000, http: 500 } as const;
/** V8 optimizes the server within about ten thousand calls. */
const WARM_UP = 14;

/**
 * Sequential calls: `p50` in µs, and `cpu` of the server in ms per 1,000 calls. 32 concurrent calls: `wall32` and `cpu32`
 * in ms per 1,000 calls.
 */
export const mcpStdio: Case = callCase("stdio");
export const mcpHttp: Case = callCase("http");

function callCase(carrier: Drive["carrier"]): Case {
  return {
    name: `mcp-${carrier}`,
    about: `calls of a trivial tool over MCP (${carrier}), compared with the SDK's low-level server plus one bare IPC echo`,
    async prepare(folder) {
      writeTools(folder, 1);
      const peers = preparePeers(folder);
      const httpArgs = carrier === "http" ? ["--http", "--port", "0", "--json"] : [];
      const servers = {
        [OURS]: launch(folder, built("cli"), "mcp", "--trust", ...httpArgs),
        sdk: launch(folder, peers.sdk, carrier),
        floor: launch(folder, peers.floor, carrier),
        fastmcp: launch(folder, peers.fastmcp, carrier),
      };
      const drive = { carrier, servers, echoProgram: program("echo.ts") };
      const drivers = { one: await startDriver(folder, drive, onOneCore()), all: await startDriver(folder, drive, []) };
      const one = (name: string): Contender => ({
        name,
        run: () => sequentialAndConcurrent(drivers, name, CALLS[carrier]),
      });
      return {
        contenders: [
          ...[OURS, "sdk", "floor", "fastmcp", "echo"].map(one),
          { name: SDK_AND_ECHO, run: async () => sum(await one("sdk").run(), await one("echo").run()) },
        ],
        goals: [
          { of: OURS, measure: "p50", against: SDK_AND_ECHO, atMost: 1.5 },
          // 1.67 times the duration is 0.6 times the calls per second.
          { of: OURS, measure: "wall32", against: SDK_AND_ECHO, atMost: 1.67 },
        ],
        rounds: 12,
        warmUp: WARM_UP,
        close: async () => void (await Promise.all(Object.values(drivers).map(end))),
      };
    },
  };
}

export const mcpStart: Case = {
  name: "mcp-start",
  about: "from the start of the server to its list of 100 cached tools, compared with the server of the SDK's tutorial",
  async prepare(folder) {
    const peers = preparePeers(folder);
    return {
      contenders: [
        await ours(folder, 100),
        startContender("sdk-hello", launch(folder, peers.hello), 1),
        startContender("sdk", launch(folder, peers.sdk), 1),
        startContender("floor", launch(folder, peers.floor), 1),
        startContender("fastmcp", launch(folder, peers.fastmcp), 1),
      ],
      goals: timesPeer("100 tools", "sdk-hello", 1),
      rounds: 15,
      warmUp: 3,
    };
  },
};

export const mcpMany: Case = {
  name: "mcp-many",
  about: "from the start of the server to the first page of 1,000 cached tools, compared with one tool",
  async prepare(folder) {
    return {
      contenders: [await ours(folder, 1000), await ours(folder, 1)],
      goals: timesPeer("1000 tools", "1 tools", 1.2),
      rounds: 15,
      warmUp: 3,
    };
  },
};

export const mcpSlow: Case = {
  name: "mcp-slow",
  about: "from the start of the server to its list, with a file whose import takes 10 s, compared with one cached tool",
  async prepare(folder) {
    const slow = await ours(folder, 2);
    writeFileSync(join(folder, "project-2", ".toolwright", "tools", "slow.ts"), SLOW);
    // The list is sent 0.4 s after the start at the latest, and has the cached tools.
    return {
      contenders: [slow, await ours(folder, 1)],
      goals: timesPeer("2 tools", "1 tools", 6),
      rounds: 10,
      warmUp: 1,
    };
  },
};

const SLOW = `await new Promise((resolve) => setTimeout(resolve, 10_000));
export default { description: "Loads slowly", execute: () => "x" };
`;

/** Lists the tools once to fill the cache. A page of the list has 500 tools. */
async function ours(folder: string, tools: number): Promise<Contender> {
  const project = join(folder, `project-${tools}`);
  writeTools(project, tools);
  const startWith = (...args: string[]): Launch => ({
    ...launch(folder, built("cli"), "mcp", "--trust", ...args),
    cwd: project,
  });
  const name = `${tools} tools`;
  const listed = Math.min(tools, 500);
  await startContender(name, startWith("--wait", "3"), listed).run();
  return startContender(name, startWith(), listed);
}

function startContender(name: string, start: Launch, tools: number): Contender {
  return {
    name,
    async run() {
      const startedAt = performance.now();
      const client = connectStdio(start);
      await client.request("initialize", INITIALIZE_PARAMS);
      await client.notify("notifications/initialized");
      const listed = await client.request("tools/list", {});
      const wall = performance.now() - startedAt;
      const cpu = treeCpuMs(client.pid);
      await client.close();
      checkNoSessions(start.env);
      const found = (listed.tools as unknown[]).length;
      if (found !== tools) throw new Error(`${name}: the list has ${found} tools, not ${tools}.`);
      return { wall, cpu };
    },
  };
}

async function startDriver(folder: string, drive: Drive, before: readonly string[]): Promise<ChildProcess> {
  const [command = "", ...args] = [...before, process.execPath, program("mcp-driver.ts"), JSON.stringify(drive)];
  const env = cleanEnvironment(folder);
  const driver = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await reply(driver);
  return driver;
}

async function end(driver: ChildProcess): Promise<void> {
  driver.disconnect();
  if (driver.exitCode === null && driver.signalCode === null) await once(driver, "exit");
}

async function sequentialAndConcurrent(
  drivers: Readonly<Record<"one" | "all", ChildProcess>>,
  what: string,
  calls: number,
): Promise<Sample> {
  const { p50 = Number.NaN, cpu = Number.NaN } = await measured(drivers.one, { what, calls, atOnce: 1 });
  const many = await measured(drivers.all, { what, calls, atOnce: AT_ONCE });
  return { p50, cpu, wall32: many.wall ?? Number.NaN, cpu32: many.cpu ?? Number.NaN };
}

async function measured(driver: ChildProcess, block: Block): Promise<Sample> {
  driver.send(block);
  return (await reply(driver)) as Sample;
}

function sum(one: Sample, other: Sample): Sample {
  return Object.fromEntries(Object.entries(one).map(([measure, value]) => [measure, value + (other[measure] ?? 0)]));
}
