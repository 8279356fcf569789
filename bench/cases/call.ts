import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Case, type Contender, type Sample, timesPeer } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";

/** Calls in one sample, one after another. */
const CALLS = 2000;

const TOOL = `import { tool } from "toolwright";

export default tool({
  description: "Says hello",
  args: { name: tool.schema.string() },
  execute: ({ name }) => "Hello, " + name,
});
`;

/** A trivial tool, called over and over in a warm host. `wall` and `cpu` are ms per 1,000 calls. */
export const call: Case = {
  name: "call",
  about: `${CALLS} calls of a trivial tool through its host, one after another, against bare IPC echoes of the same sizes`,
  async prepare(folder) {
    const tools = join(folder, ".toolwright", "tools");
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "hello.ts"), TOOL);
    const [command = process.execPath, ...before] = onOneCore();
    const args = [...before, program("call-driver.ts"), built("library"), program("echo.ts"), folder];
    const driver = spawn(command, args, {
      cwd: folder,
      env: cleanEnvironment(folder),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await reply(driver);
    return {
      contenders: ["call", "echo"].map((name) => contender(driver, name)),
      goals: [{ of: "call", measure: "perSecond", atLeast: 5000, unit: "calls/s" }, ...timesPeer("call", "echo", 3)],
      rounds: 20,
      warmUp: 4,
      async close() {
        driver.disconnect();
        if (driver.exitCode === null) await once(driver, "exit");
      },
    };
  },
};

/**
 * On one core, where it can be had: the processes take turns anyway, and whether the system happens to put them on
 * one core or on two makes an echo cost 30 or 90 µs.
 */
function onOneCore(): string[] {
  const taskset = "/usr/bin/taskset";
  if (!existsSync(taskset)) return [process.execPath];
  return [taskset, "--cpu-list", String(availableParallelism() - 1), process.execPath];
}

function contender(driver: ChildProcess, name: string): Contender {
  return {
    name,
    async run() {
      driver.send({ what: name, count: CALLS });
      return (await reply(driver)) as Sample;
    },
  };
}

async function reply(driver: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  driver.once("exit", () => ended.abort(new Error("The process that makes the calls has ended.")));
  const [message] = await once(driver, "message", { signal: ended.signal });
  driver.removeAllListeners("exit");
  return message;
}
