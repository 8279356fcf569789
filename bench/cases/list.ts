import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ChildOptions, timeNode } from "../child.ts";
import { generateTools } from "../generate-tools.ts";
import { type Case, type Contender, timesPeer } from "../harness.ts";
import { built, cleanEnvironment } from "../places.ts";
import { emptyNode } from "./version.ts";

const TOOLS = 500;
const PEER = "import-compiled";

/** 500 tool files, nothing cached. */
export const listCold: Case = {
  name: "list-cold",
  about: `\`list --json\` of ${TOOLS} tool files with an empty cache, against importing them, already compiled, in one Node process`,
  async prepare(folder) {
    const { list, importCompiled, forget } = contestants(folder);
    const cold: Contender = {
      name: "list-cold",
      run() {
        forget();
        return list();
      },
    };
    return { contenders: [cold, importCompiled], goals: timesPeer("list-cold", PEER, 1.5), rounds: 10, warmUp: 1 };
  },
};

/** The same again, nothing changed since. */
export const listWarm: Case = {
  name: "list-warm",
  about: `\`list --json\` of ${TOOLS} tool files unchanged since the last time, against the same peer and an empty Node process`,
  async prepare(folder) {
    const { list, importCompiled, options } = contestants(folder);
    return {
      contenders: [{ name: "list-warm", run: list }, importCompiled, emptyNode(options)],
      goals: [...timesPeer("list-warm", PEER, 0.12), ...timesPeer("list-warm", "empty-node", 2.2)],
      rounds: 15,
      warmUp: 2,
    };
  },
};

function contestants(folder: string): {
  list: Contender["run"];
  forget: () => void;
  importCompiled: Contender;
  options: ChildOptions;
} {
  const { project, compiledEntry } = generateTools(folder, TOOLS);
  const env = cleanEnvironment(folder);
  const options: ChildOptions = { cwd: project, env };
  mkdirSync(join(folder, "home"), { recursive: true });
  return {
    options,
    async list() {
      const { sample, stdout } = await timeNode([built("cli"), "list", "--json", "--trust"], options);
      checkListing(stdout);
      return sample;
    },
    // The state folder and, beside it, whatever Node itself keeps of compiled code.
    forget: () => {
      for (const each of [env.TOOLWRIGHT_HOME, join(folder, "home"), join(folder, "node-compile-cache")]) {
        if (each) rmSync(each, { recursive: true, force: true });
      }
    },
    importCompiled: {
      name: PEER,
      async run() {
        const { sample, stdout } = await timeNode([compiledEntry], options);
        if (stdout.trim() !== String(TOOLS)) throw new Error(`The peer imported ${stdout.trim()} tools, not ${TOOLS}.`);
        return sample;
      },
    },
  };
}

/** A fast answer that is wrong is not an answer. */
function checkListing(stdout: string): void {
  const { tools, problems } = JSON.parse(stdout) as { tools: { inputSchema: unknown }[]; problems: unknown[] };
  if (tools.length !== TOOLS || problems.length > 0) {
    throw new Error(
      `list gave ${tools.length} of ${TOOLS} tools and ${problems.length} problems: ${JSON.stringify(problems[0])}`,
    );
  }
  if (!tools.every(({ inputSchema }) => JSON.stringify(inputSchema).includes('"path"'))) {
    throw new Error("list gave a tool without its schema.");
  }
}
