import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { type AgentProject, agentProject } from "./agent-project.ts";
import { packagesOf, programOf } from "./installed-agent.ts";
import { type AgentRun, type RunningAgent, runAgent, startAgent } from "./run-agent.ts";
import { type Heard, startModel } from "./scripted-model.ts";

/** The model's final message. */
export const FINAL_MESSAGE = "All is noted.";

/** The project of an agent, and the calls of its model. */
export interface Scene {
  /** Tool files in addition to the standard ones. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's Toolwright settings. */
  readonly settings?: object;
  readonly level?: "user" | "project";
  /** More options of `install`. */
  readonly install?: readonly string[];
  /** Whether the user has trusted the project in Toolwright; true by default. */
  readonly trusted?: boolean;
  /** The calls of the model, in order, with unprefixed tool names. */
  readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>])[];
}

/** An agent that is configured to use the Toolwright server. */
export interface PreparedAgent {
  readonly at: AgentProject;
  /** The user's configuration file, and its content before `install`. */
  readonly config: { readonly file: string; readonly before: string };
  /** The requests to its model so far. */
  readonly heard: readonly Heard[];
  /** Runs it to its end. */
  run(): Promise<AgentRun>;
  /** Starts it in its own process group, like a shell. */
  start(): RunningAgent;
  /** Starts it with these arguments and an open input. */
  talk(args: readonly string[]): RunningAgent;
  close(): Promise<void>;
}

/** Runs `install` for an agent in this project. Call `close` when done. */
export async function prepareAgent(agent: Agent, at: AgentProject, scene: Scene): Promise<PreparedAgent> {
  const { id, folder = id, config, wire, named } = agent;
  const calls = scene.calls.map(([tool, input]) => ({ call: named(tool), input }));
  const model = await startModel(wire, [...calls, { say: FINAL_MESSAGE }]);
  const before = config.before(model.origin);
  const file = put(join(at.home, config.file), before);
  agent.prepare?.(at.home, packagesOf(folder), model.origin);
  if (scene.settings) put(join(at.home, ".toolwright/settings.json"), JSON.stringify(scene.settings));
  const isForProject = scene.level === "project";
  if (isForProject) config.approve?.(at);
  if (scene.trusted === false) await at.toolwright("trust", "--remove");
  const options = [...(agent.install ?? []), ...(scene.install ?? []), ...(isForProject ? ["--project"] : [])];
  await at.toolwright("install", id, "--yes", ...options);
  const { args, waitArgs = [] } = agent;
  const program = programOf(folder, agent.program);
  const env = agent.env?.(model.origin);
  const sawTools = (): boolean => {
    const names = model.heard[0]?.offered.map(({ name }) => name) ?? [];
    return names.some((name) => name.startsWith(named(""))) && calls.every(({ call }) => names.includes(call));
  };
  return {
    at,
    config: { file, before },
    heard: model.heard,
    run: async () => {
      for (let attempt = 1; ; attempt++) {
        const run = await runAgent(at, program, args, env);
        const isHidden = scene.install?.includes("--defer");
        if (waitArgs.length === 0 || isHidden || sawTools() || attempt === ATTEMPTS) return run;
        model.forget();
      }
    },
    start: () =>
      startAgent(at, program, [...args.slice(0, -1), ...waitArgs, ...args.slice(-1)], env, { detached: true }),
    talk: (talkArgs) => startAgent(at, program, talkArgs, env, { stdin: "pipe" }),
    close: model.close,
  };
}

/** Of an agent that leaves out a server which is not ready in time, as on a busy machine. */
const ATTEMPTS = 5;

/** Prepares an agent in a new project, and removes both after `act`. */
export async function withAgent<T>(agent: Agent, scene: Scene, act: (ready: PreparedAgent) => Promise<T>): Promise<T> {
  const at = await agentProject(scene.files);
  try {
    const ready = await prepareAgent(agent, at, scene);
    return await act(ready).finally(ready.close);
  } finally {
    at.remove();
  }
}
