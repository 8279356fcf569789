import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChildOptions, timeNode } from "../child.ts";
import { reply } from "../driver.ts";
import { type Bench, type Case, type Contender, type Goal, type Sample, timesPeer } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";

/** `wall` and `cpu` are ms per 1,000 events. */
export const sessionAppend: Case = {
  name: "session-append",
  about:
    "durable appends to a session, one by one and 32 at once, compared with inserts into SQLite with the same pragmas",
  prepare: (folder) =>
    driven(folder, ["one-writer", "concurrent", "raw-sqlite"], 200, [
      { of: "one-writer", measure: "wall", against: "raw-sqlite", atMost: 2 },
      { of: "concurrent", measure: "wall", against: "raw-sqlite", atMost: 1 },
    ]),
};

/** `p50` and `p99` are ms from the append of an event to its arrival at a follower; `kb` is the memory of a follower. */
export const sessionFollowers: Case = {
  name: "session-followers",
  about:
    "events of a session to its 1,000 followers, compared with an insert into SQLite and an EventEmitter with 1,000 readers",
  prepare: (folder) =>
    driven(folder, ["followers", "iterators", "listeners"], 50, [
      { of: "followers", measure: "p50", against: "iterators", atMost: 2 },
      { of: "followers", measure: "p99", against: "iterators", atMost: 2 },
      { of: "followers", measure: "kb", against: "iterators", atMost: 1 },
    ]),
};

export const runSession: Case = {
  name: "run-session",
  about: "`toolwright run TOOL --session ID`, compared with `toolwright run TOOL`",
  async prepare(folder) {
    const tools = join(folder, ".toolwright", "tools");
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "hello.ts"), 'export default { description: "Says hello", execute: () => "Hello" };\n');
    const options: ChildOptions = { cwd: folder, env: cleanEnvironment(folder) };
    const run = (name: string, more: readonly string[]): Contender => ({
      name,
      async run() {
        const { sample, stdout } = await timeNode([built("cli"), "run", "hello", "--trust", ...more], options);
        if (stdout !== "Hello\n") throw new Error(`run printed: ${stdout}`);
        return sample;
      },
    });
    return {
      contenders: [run("run-session", ["--session", "s"]), run("run", [])],
      goals: timesPeer("run-session", "run", 1.3),
      rounds: 20,
      warmUp: 2,
    };
  },
};

async function driven(folder: string, names: readonly string[], count: number, goals: readonly Goal[]): Promise<Bench> {
  const driver = spawn(process.execPath, ["--expose-gc", program("session-driver.ts"), built("library"), folder], {
    cwd: folder,
    env: cleanEnvironment(folder),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await reply(driver);
  return {
    contenders: names.map((name) => contender(driver, name, count)),
    goals,
    rounds: 30,
    warmUp: 5,
    async close() {
      driver.disconnect();
      if (driver.exitCode === null) await once(driver, "exit");
    },
  };
}

function contender(driver: ChildProcess, name: string, count: number): Contender {
  return {
    name,
    async run() {
      driver.send({ what: name, count });
      return (await reply(driver)) as Sample;
    },
  };
}
