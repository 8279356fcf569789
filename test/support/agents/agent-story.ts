import { readFileSync } from "node:fs";
import type { Agent } from "./agent.ts";
import { withAgent } from "./prepared-agent.ts";
import type { AgentRun } from "./run-agent.ts";
import type { Heard } from "./scripted-model.ts";

/** The observations of one successful agent run. */
export interface Story {
  readonly run: AgentRun;
  readonly heard: readonly Heard[];
  readonly notes: string;
  /** The agent's configuration before `install`, after the run, and after `uninstall`. */
  readonly config: Readonly<Record<"before" | "used" | "after", string>>;
}

const CALLS = [
  ["note", { text: "Käse" }],
  ["find", { text: "Käse" }],
  ["print", {}],
] as const;

/** Runs `install`, lets the agent's model call three tools, and runs `uninstall`. */
export function storyOf(agent: Agent): Promise<Story> {
  return withAgent(agent, { calls: CALLS }, async (ready) => {
    const { at, heard } = ready;
    const { file, before } = ready.config;
    const run = await ready.run();
    const used = readFileSync(file, "utf8");
    await at.toolwright("uninstall", agent.id, "--yes");
    const config = { before, used, after: readFileSync(file, "utf8") };
    return { run, heard, notes: at.notes(), config };
  });
}
