import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { reply } from "../driver.ts";
import type { Bench, Case, Contender, Sample } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";

const EVENTS = [10, 1_000, 100_000, 1_000_000];
const SESSIONS = [10, 1_000, 20_000];
/** The longest time, in ms, for which anything may hold the event loop. */
const MAX_BLOCK_MS = 50;

/** The measures that must not grow, and by how many ms they may. The first turn of a process reads the last 200 messages. */
const OF_SESSION: Readonly<Record<string, number>> = { open: 1, turn: 4, append: 1, tail: 1 };

/** All measures are ms. `block` is the longest time for which the event loop was held, `held` the CPU time of that. */
export const sessionGrowth: Case = {
  name: "session-growth",
  about: "what is done with a session of many events, compared with a session of ten",
  prepare: (folder) => grown(folder, "events", EVENTS, OF_SESSION),
};

/** The same for a store; `start` is the time to open it after another process was killed. */
export const sessionCount: Case = {
  name: "session-count",
  about: "lists, searches and the start of a store with many sessions, compared with a store of ten",
  prepare: (folder) => grown(folder, "sessions", SESSIONS, { list: 1 }),
};

async function grown(
  folder: string,
  what: "events" | "sessions",
  counts: readonly number[],
  constant: Readonly<Record<string, number>>,
): Promise<Bench> {
  const drivers: Driver[] = [];
  for (const count of counts) drivers.push(await start(folder, what, count));
  const [smallest = 0, ...others] = counts;
  return {
    contenders: drivers.map(({ contender }) => contender),
    goals: [
      ...others.flatMap((count) =>
        Object.entries(constant).map(([measure, orPlus]) => ({
          ...{ of: `${count}`, measure, against: `${smallest}` },
          ...{ atMost: 1.2, orPlus },
        })),
      ),
      ...counts.map((count) => ({ of: `${count}`, measure: "block", atMost: MAX_BLOCK_MS, unit: "ms" })),
    ],
    rounds: 5,
    warmUp: 1,
    close: async () => void (await Promise.all(drivers.map(({ close }) => close()))),
  };
}

interface Driver {
  readonly contender: Contender;
  close(): Promise<void>;
}

async function start(parent: string, what: string, count: number): Promise<Driver> {
  const folder = join(parent, `${count}`);
  mkdirSync(folder);
  const args = [program("session-growth.ts"), folder, built("library"), built("agents"), what, `${count}`];
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(folder),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await reply(child);
  const run = async (): Promise<Sample> => {
    child.send("run");
    return (await reply(child)) as Sample;
  };
  const close = async (): Promise<void> => {
    child.disconnect();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { contender: { name: `${count}`, run }, close };
}
