import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onOneCore, reply } from "../driver.ts";
import { type Case, type Contender, type Sample, timesPeer } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";

/** Sequential calls per sample. */
const CALLS = 2000;

const TOOL = `import { tool } from "toolwright";

export default tool({
  description: "Says hello",
  args: { name: tool.schema.string() },
  execute: ({ name }) => "Hello, " + name,
});
`;

/** `wall` and `cpu` are ms per 1,000 calls. */
export const call: Case = {
  name: "call",
  about: `${CALLS} sequential calls of a trivial tool in a warm host, compared with bare IPC echoes of the same size`,
  async prepare(folder) {
    const tools = join(folder, ".toolwright", "tools");
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "hello.ts"), TOOL);
    const [command = process.execPath, ...before] = [...onOneCore(), process.execPath];
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

function contender(driver: ChildProcess, name: string): Contender {
  return {
    name,
    async run() {
      driver.send({ what: name, count: CALLS });
      return (await reply(driver)) as Sample;
    },
  };
}
