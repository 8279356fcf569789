import { readFileSync } from "node:fs";
import { join } from "node:path";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { agentProject } from "./agent-project.ts";
import { packagesOf, programOf } from "./installed-agent.ts";
import { type AgentRun, runAgent } from "./run-agent.ts";
import { type Heard, startModel } from "./scripted-model.ts";

/** What the user hears in the end. */
export const LAST_WORDS = "All is noted.";

/** All that came of an agent's run in a project of ours. */
export interface Story {
  readonly run: AgentRun;
  readonly heard: readonly Heard[];
  readonly notes: string;
  /** The agent's configuration: before we came, after the agent has run with us in it, and without us again. */
  readonly config: Readonly<Record<"before" | "used" | "after", string>>;
}

/** Installs us into an agent, lets its model call three tools, and takes us out again. */
export async function storyOf(agent: Agent): Promise<Story> {
  const { wire, named } = agent;
  const at = await agentProject();
  const model = await startModel(wire, [
    { call: named("note"), input: { text: "Käse" } },
    { call: named("find"), input: { text: "Käse" } },
    { call: named("print"), input: {} },
    { say: LAST_WORDS },
  ]);
  try {
    const before = agent.config.before(model.origin);
    const file = put(join(at.home, agent.config.file), before);
    agent.prepare?.(at.home, packagesOf(agent.id));
    await at.toolwright("install", agent.id, "--yes");
    const run = await runAgent(at, programOf(agent.id, agent.program), agent.args, agent.env?.(model.origin));
    const used = readFileSync(file, "utf8");
    await at.toolwright("uninstall", agent.id, "--yes");
    const config = { before, used, after: readFileSync(file, "utf8") };
    return { run, heard: model.heard, notes: at.notes(), config };
  } finally {
    await model.close();
    at.remove();
  }
}
