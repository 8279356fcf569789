/** A program that uses sessions at random until it is killed, or its standard input ends: `node session-fuzzer.ts '{"cwd": …}'`. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvent } from "../../src/core/coding-agent.ts";
import { createToolbox, outputOf, tool } from "../../src/index.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "./code-agent.ts";
import { random } from "./random.ts";

export interface FuzzerOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seed: number;
}

/** A line says which answer was accepted. */
export interface FuzzerLine {
  readonly answered: string;
}

const { cwd, env, seed } = JSON.parse(process.argv[2] ?? "") as FuzzerOptions;
const chance = random(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
const SESSIONS = ["a", "b", "c"];
const TASK = { description: "Look", prompt: "ask {}", subagent_type: "general" };
const PROMPTS = ["ask {}", "ask {}", "wait {}", "both {}", `task ${JSON.stringify(TASK)}`, "Hello"];

/** An agent whose prompt is `TOOL JSON`. */
const CALLER: CodeAgent = {
  async *turn({ prompt, options }: CodeTurn): AsyncGenerator<AgentEvent> {
    const [, name = "", input = "{}"] = /(\w+) (\{.*\})$/s.exec(prompt) ?? [];
    const messageID = crypto.randomUUID();
    const names = name === "both" ? ["ask", "wait"] : [name];
    // The ids repeat, as those of some agents do.
    const runs = names
      .filter((each) => each !== "")
      .map((each) => options.tools.call({ name: each, input: JSON.parse(input), messageID, callID: "call_1" }));
    const results = await Promise.all(runs.map(({ result }) => result));
    yield* saying(results.map(outputOf).join(", ") || prompt, messageID);
  },
};

const toolbox = await createToolbox({
  cwd,
  env,
  onlyGiven: true,
  builtins: ["task"],
  sessions: "disk",
  agents: codeAgents({ main: CALLER }),
  tools: {
    ask: tool({
      description: "Asks.",
      execute: async (_, { ask }) => {
        await ask({ permission: "ask", patterns: ["x"], always: ["x"], metadata: {} });
        return "asked";
      },
    }),
    wait: tool({ description: "Waits.", execute: () => sleep(20).then(() => "waited") }),
  },
});
let isStopped = false;
process.stdin.resume().once("end", () => {
  isStopped = true;
});
const store = await toolbox.sessions.store();
const ignore = (): void => {};
const ACTIONS: readonly (() => Promise<unknown>)[] = [
  ...[send, send, send, answer, answer, answer, answer, cancel, branch, call],
];
while (!isStopped) {
  void pick(ACTIONS)().catch(ignore);
  await sleep(chance() * 25);
}
await toolbox.close();
process.exit(0);

async function send(): Promise<void> {
  const options = { agent: "main", builtins: ["task"], answerable: true };
  await toolbox.sessions.send(pick(SESSIONS), pick(PROMPTS), options).result;
}

/** Answers a question of any process. */
async function answer(): Promise<void> {
  const { sessions } = await store.list({ status: "waiting" });
  const questions = sessions.flatMap(({ openQuestions }) => openQuestions);
  if (questions.length === 0) return;
  const question = pick(questions);
  await toolbox.sessions.answer(question, { allowed: chance() < 0.8 });
  writeSync(1, `${JSON.stringify({ answered: question } satisfies FuzzerLine)}\n`);
}

/** Calls a tool as a user does, also while a turn runs. */
async function call(): Promise<void> {
  const sessionID = pick(SESSIONS);
  await toolbox.sessions.open(sessionID);
  await toolbox.call({ name: pick(["ask", "wait"]), input: {}, sessionID }).result;
}

async function cancel(): Promise<void> {
  await toolbox.sessions.cancel(pick(SESSIONS));
}

async function branch(): Promise<void> {
  const { sessions } = await store.list();
  const { id, position } = pick(sessions);
  const copy = await toolbox.sessions.branch(id, { at: 1 + Math.floor(chance() * position) });
  if (chance() < 0.5) await toolbox.sessions.remove(copy.id);
}
