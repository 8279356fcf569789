import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChildOptions, timeNode } from "../child.ts";
import { type Case, type Contender, timesPeer } from "../harness.ts";
import { built, cleanEnvironment } from "../places.ts";

/** The shortest command: the minimum start time of the command line. */
export const version: Case = {
  name: "version",
  about: "`toolwright --version`, compared with an empty Node process",
  async prepare(folder) {
    const options: ChildOptions = { cwd: folder, env: cleanEnvironment(folder) };
    const candidate: Contender = {
      name: "version",
      async run() {
        const { sample, stdout } = await timeNode([built("cli"), "--version"], options);
        if (!/^\d+\.\d+\.\d+/.test(stdout)) throw new Error(`--version printed: ${stdout}`);
        return sample;
      },
    };
    return {
      contenders: [candidate, emptyNode(options)],
      goals: timesPeer("version", "empty-node", 1.5),
      rounds: 40,
      warmUp: 3,
    };
  },
};

/** A Node process that runs an empty module. */
export function emptyNode(options: ChildOptions): Contender {
  const file = join(options.cwd, "empty.mjs");
  writeFileSync(file, "");
  return { name: "empty-node", run: async () => (await timeNode([file], options)).sample };
}
