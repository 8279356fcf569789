import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { type AgentProject, agentProject } from "./agent-project.ts";
import { packagesOf, programOf } from "./installed-agent.ts";
import { type AgentRun, type RunningAgent, runAgent, startAgent } from "./run-agent.ts";
import { type Heard, startModel } from "./scripted-model.ts";

/** What the user hears in the end. */
export const LAST_WORDS = "All is noted.";

/** What an agent finds, and what its model makes it do. */
export interface Scene {
  /** Tool files beside those that every project has. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's settings of ours. */
  readonly settings?: object;
  readonly level?: "user" | "project";
  /** The tools that the model calls, one after the other, by the names that they have without the agent's own. */
  readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>])[];
}

/** An agent with us in its configuration. */
export interface PreparedAgent {
  readonly at: AgentProject;
  /** The user's configuration of the agent: where it is, and what it was before we came. */
  readonly config: { readonly file: string; readonly before: string };
  /** What its model has heard so far. */
  readonly heard: readonly Heard[];
  /** Runs it to its end. */
  run(): Promise<AgentRun>;
  /** Begins to run it, in a process group of its own, as a shell does. */
  start(): RunningAgent;
  close(): Promise<void>;
}

/** Installs us into an agent that is to work in this project. Call `close` when done. */
export async function prepareAgent(agent: Agent, at: AgentProject, scene: Scene): Promise<PreparedAgent> {
  const { id, config, wire, named } = agent;
  const calls = scene.calls.map(([tool, input]) => ({ call: named(tool), input }));
  const model = await startModel(wire, [...calls, { say: LAST_WORDS }]);
  const before = config.before(model.origin);
  const file = put(join(at.home, config.file), before);
  agent.prepare?.(at.home, packagesOf(id));
  if (scene.settings) put(join(at.home, ".toolwright/settings.json"), JSON.stringify(scene.settings));
  const isForProject = scene.level === "project";
  if (isForProject) config.approve?.(at);
  await at.toolwright("install", id, "--yes", ...(isForProject ? ["--project"] : []));
  const command = [programOf(id, agent.program), agent.args, agent.env?.(model.origin)] as const;
  return {
    at,
    config: { file, before },
    heard: model.heard,
    run: () => runAgent(at, ...command),
    start: () => startAgent(at, ...command, { detached: true }),
    close: model.close,
  };
}

/** The same in a project of its own, for as long as something is done with it. */
export async function withAgent<T>(agent: Agent, scene: Scene, act: (ready: PreparedAgent) => Promise<T>): Promise<T> {
  const at = await agentProject(scene.files);
  try {
    const ready = await prepareAgent(agent, at, scene);
    return await act(ready).finally(ready.close);
  } finally {
    at.remove();
  }
}
