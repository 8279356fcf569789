import type { AgentSource } from "../core/coding-agent.ts";
import type { Settings } from "../settings/settings.ts";

const GENERAL = "Works on any task, with the same agent and model as this one.";

/** The kinds of sub-agents of the settings, each with its purpose. Undefined if there are no agents. */
export function taskKinds(
  agents: AgentSource | undefined,
  { subagents }: Settings,
): Readonly<Record<string, string>> | undefined {
  if (!agents) return undefined;
  const set = Object.entries(subagents).map(([name, { description }]) => [name, description] as const);
  return Object.assign(Object.create(null), { general: GENERAL }, Object.fromEntries(set));
}
