import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedAgent } from "../../test/support/agents/installed-agent.ts";
import { reply } from "../driver.ts";
import type { Bench, Case, Contender, Goal, Sample } from "../harness.ts";
import { built, cleanEnvironment, PACKAGE, program } from "../places.ts";
import { type TalkersOptions, TOOL } from "../programs/agent-talkers.ts";

/** The agents with an SDK, and the folders in `e2e/` that have it. */
const FOLDERS = { claude: "claude-agent-sdk", copilot: "copilot-sdk", langchain: "langchain" } as const;
type Agent = keyof typeof FOLDERS;
type Kind = "toolwright" | "sdk";

export const agentLangchain: Case = agentCase("langchain", 20);
export const agentCopilot: Case = agentCase("copilot", 20);
export const agentClaude: Case = agentCase("claude", 15);

/** `turn` and `call` are ms. */
function agentCase(agent: Agent, rounds: number): Case {
  return {
    name: `agent-${agent}`,
    about: `a turn, and a call of a tool, of the agent "${agent}" in a session on disk, compared with its SDK and the same scripted model`,
    async prepare(folder) {
      const drivers = await startDrivers(folder, [
        { name: "toolwright", agent, kind: "toolwright" },
        { name: "sdk", agent, kind: "sdk" },
      ]);
      return drivers.bench({}, rounds, 3, [
        { of: "toolwright", measure: "turn", against: "sdk", atMost: 1.15, orPlus: 10 },
        { of: "toolwright", measure: "call", against: "sdk", atMost: 1.15, orPlus: 10 },
      ]);
    },
  };
}

/** `mb` is the memory of an idle session after one turn: the heap, and the private memory of the agent's processes. */
export const agentMemory: Case = {
  name: "agent-memory",
  about: "the memory of an idle session after one turn, with the processes of its agent, compared with its SDK",
  async prepare(folder) {
    const agents = Object.keys(FOLDERS) as Agent[];
    const drivers = await startDrivers(folder, [
      { name: "demo", agent: "demo", kind: "toolwright" },
      ...agents.flatMap((agent) => [
        { name: agent, agent, kind: "toolwright" as const },
        { name: `${agent}-sdk`, agent, kind: "sdk" as const },
      ]),
    ]);
    return drivers.bench({ sessions: 2 }, 3, 0, [
      { of: "demo", measure: "mb", atMost: 0.25, unit: "MB" },
      ...agents.map((agent) => ({ of: agent, measure: "mb", against: `${agent}-sdk`, atMost: 1.15, orPlus: 0.25 })),
    ]);
  },
};

interface Wanted {
  readonly name: string;
  readonly agent: Agent | "demo";
  readonly kind: Kind;
}

/** Starts a scripted model for each agent, and a process for each contender. */
async function startDrivers(
  folder: string,
  wanted: readonly Wanted[],
): Promise<{ bench(message: object, rounds: number, warmUp: number, goals: readonly Goal[]): Bench }> {
  const models = new Map<string, ChildProcess>();
  const origins = new Map<string, string>();
  for (const agent of new Set(wanted.map((each) => each.agent))) {
    if (agent === "demo") continue;
    const missing = await installedAgent(FOLDERS[agent]);
    if (missing !== undefined) throw new Error(missing);
    const wire = agent === "claude" ? "anthropic" : "chat";
    const model = start(folder, "agent-model.ts", [
      wire,
      agent === "claude" ? `mcp__toolwright__${TOOL.name}` : TOOL.name,
    ]);
    models.set(agent, model);
    origins.set(agent, String(await reply(model)));
  }
  const drivers: { readonly name: string; readonly child: ChildProcess }[] = [];
  for (const { name, agent, kind } of wanted) {
    const home = projectFor(join(folder, name), agent);
    const options: TalkersOptions = {
      agent,
      folder: home,
      modules: modulesOf(agent),
      origin: origins.get(agent) ?? "",
      library: built("library"),
      agents: built("agents"),
    };
    const child = start(home, "agent-driver.ts", [kind, JSON.stringify(options)]);
    await reply(child);
    drivers.push({ name, child });
  }
  const close = async (): Promise<void> => {
    for (const child of [...drivers.map((driver) => driver.child), ...models.values()]) {
      child.disconnect();
      if (child.exitCode === null) await once(child, "exit");
    }
  };
  const contenders = (message: object): Contender[] =>
    drivers.map(({ name, child }) => ({
      name,
      async run() {
        child.send(message);
        return (await reply(child)) as Sample;
      },
    }));
  return {
    bench: (message, rounds, warmUp, goals) => ({ contenders: contenders(message), goals, rounds, warmUp, close }),
  };
}

/** A project with the tool, and settings that name the packages of the agent. */
function projectFor(folder: string, agent: Wanted["agent"]): string {
  const tools = join(folder, ".toolwright/tools");
  const settings = join(folder, "toolwright");
  for (const each of [tools, settings, join(folder, "home")]) mkdirSync(each, { recursive: true });
  const { name, description } = TOOL;
  writeFileSync(
    join(tools, `${name}.ts`),
    `export default { description: "${description}", args: { text: { type: "string" } }, access: () => [], execute: ({ text }) => text.toUpperCase() };\n`,
  );
  writeFileSync(join(settings, "settings.json"), JSON.stringify({ agents: { modules: modulesOf(agent) } }));
  return folder;
}

function modulesOf(agent: Wanted["agent"]): string {
  return agent === "demo" ? PACKAGE : join(PACKAGE, "e2e", FOLDERS[agent]);
}

function start(folder: string, file: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["--expose-gc", program(file), ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), OPENAI_API_KEY: "dummy", ANTHROPIC_API_KEY: "dummy" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
