import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "oxc-transform";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { type ChildOptions, timeNode } from "../child.ts";
import { generateTools } from "../generate-tools.ts";
import { type Case, type Contender, timesPeer } from "../harness.ts";
import { built, checkNoSessions, cleanEnvironment, program } from "../places.ts";
import { openTree, timed } from "./grep.ts";
import { emptyNode } from "./version.ts";

const TOOLS = 500;
const PEER = "import-compiled";

export const listCold: Case = {
  name: "list-cold",
  about: `\`list --json\` of ${TOOLS} tool files without a cache, compared with importing them, precompiled, in one Node process`,
  async prepare(folder) {
    const { list, importCompiled, deleteCaches } = prepareContenders(folder);
    const cold: Contender = {
      name: "list-cold",
      run() {
        deleteCaches();
        return list();
      },
    };
    return { contenders: [cold, importCompiled], goals: timesPeer("list-cold", PEER, 1.5), rounds: 10, warmUp: 1 };
  },
};

export const listWarm: Case = {
  name: "list-warm",
  about: `\`list --json\` of ${TOOLS} tool files with a warm cache, compared with importing them and with an empty Node process`,
  async prepare(folder) {
    const { list, importCompiled, options } = prepareContenders(folder);
    return {
      contenders: [{ name: "list-warm", run: list }, importCompiled, emptyNode(options), await floor(folder, options)],
      goals: [...timesPeer("list-warm", PEER, 0.12), ...timesPeer("list-warm", "empty-node", 2.2)],
      rounds: 15,
      warmUp: 2,
    };
  },
};

/** A program that only stats the files, parses the list and prints it. It shows how much of the time is ours. */
async function floor(folder: string, options: ChildOptions): Promise<Contender> {
  const { stdout } = await timeNode([built("cli"), "list", "--json", "--trust"], options);
  const list = join(folder, "list.json");
  writeFileSync(list, stdout);
  const file = join(folder, "list-floor.mjs");
  writeFileSync(file, transformSync("list-floor.ts", readFileSync(program("list-floor.ts"), "utf8")).code);
  return { name: "floor", run: async () => (await timeNode([file, options.cwd, list], options)).sample };
}

function prepareContenders(folder: string): {
  list: Contender["run"];
  deleteCaches: () => void;
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
      checkNoSessions(env);
      return sample;
    },
    // Toolwright's state and Node's compile cache.
    deleteCaches: () => {
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

function checkListing(stdout: string): void {
  const { tools: all, problems } = JSON.parse(stdout) as {
    tools: { inputSchema: unknown; source: string }[];
    problems: unknown[];
  };
  const tools = all.filter(({ source }) => source !== "builtin");
  if (tools.length !== TOOLS || problems.length > 0) {
    throw new Error(
      `list returned ${tools.length} of ${TOOLS} tools and ${problems.length} problems: ${JSON.stringify(problems[0])}`,
    );
  }
  if (!tools.every(({ inputSchema }) => JSON.stringify(inputSchema).includes('"path"'))) {
    throw new Error("list returned a tool without its schema.");
  }
}

const EVERYTHING = { entries: 1_000_000, depth: 1_000, maxLines: 1_000_000, maxBytes: 100_000_000 };

export const listFolder: Case = {
  name: "list-folder",
  about: "built-in list of a folder with 50,000 files, truncated and complete, compared with `git ls-files`",
  async prepare(folder) {
    const cut = await openTree(join(folder, "cut"));
    const whole = await openTree(join(folder, "whole"), { toolLimits: { list: EVERYTHING } });
    execFileSync("git", ["init", "--quiet"], { cwd: whole.project });
    const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
    return {
      contenders: [
        timed("list", async () => void (await listed(cut.toolbox))),
        timed("list-whole", async () => mustBeAll(await listed(whole.toolbox), whole.files)),
        timed("git", async () => {
          const { stdout } = await promisify(execFile)("git", args, { cwd: whole.project, maxBuffer: 100_000_000 });
          mustBeAll(stdout, whole.files);
        }),
      ],
      // "list-whole" has no goal: reading the folders in Node alone takes longer than git takes for everything.
      goals: [{ of: "list", measure: "wall", against: "git", atMost: 1.15 }],
      rounds: 10,
      warmUp: 2,
      async close() {
        await cut.toolbox.close();
        await whole.toolbox.close();
      },
    };
  },
};

async function listed(toolbox: Toolbox): Promise<string> {
  const result = await toolbox.call({ name: "list", input: {} }).result;
  if (!result.ok) throw result.error;
  return result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The text must name all files except the ignored ones. */
function mustBeAll(text: string, files: number): void {
  const found = text.split("\n").filter((line) => /file-\d+\.tsx?$/.test(line)).length;
  if (found !== files || /bundle\.js|debug\.log/.test(text))
    throw new Error(`Found ${found} of ${files} files, or an ignored file.`);
}
