import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "../driver.ts";
import type { Case, Contender, Sample } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";

/** Sequential calls per sample. */
const CALLS = 5000;

const HELLO = `import { tool } from "toolwright";
export default tool({ description: "Says hello", args: { name: tool.schema.string() }, execute: ({ name }) => "Hello, " + name });
`;

const SLOW = `import { tool } from "toolwright";
export default tool({ description: "Slow", args: { text: tool.schema.string().regex(/^(a+)+$/) }, execute: () => "" });
`;

/** `p99` and `p50` are ms of one call of the healthy client. */
export const slowPattern: Case = {
  name: "slow-pattern",
  about: `${CALLS} sequential calls of a trivial tool beside eight clients that send slow texts to another tool's pattern, compared with the same calls alone`,
  async prepare(folder) {
    const tools = join(folder, ".toolwright", "tools");
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "hello.ts"), HELLO);
    writeFileSync(join(tools, "slow.ts"), SLOW);
    const driver = spawn(process.execPath, [program("slow-pattern-driver.ts"), built("library"), folder], {
      cwd: folder,
      env: cleanEnvironment(folder),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await reply(driver);
    const contender = (name: string): Contender => ({
      name,
      async run() {
        driver.send({ what: name, count: CALLS });
        return (await reply(driver)) as Sample;
      },
    });
    return {
      contenders: [contender("flood"), contender("alone")],
      goals: [{ of: "flood", measure: "p99", against: "alone", atMost: 3 }],
      rounds: 10,
      warmUp: 2,
      async close() {
        driver.disconnect();
        if (driver.exitCode === null) await once(driver, "exit");
      },
    };
  },
};
