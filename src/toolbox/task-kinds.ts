import type { Settings } from "../settings/settings.ts";

const GENERAL = "Works on any task, with the same agent and model as this one.";

/** The kinds of sub-agents of the settings, each with its purpose. */
export function taskKinds({ subagents }: Settings): Readonly<Record<string, string>> {
  const set = Object.entries(subagents).map(([name, { description }]) => [name, description] as const);
  return Object.assign(Object.create(null), { general: GENERAL }, Object.fromEntries(set));
}
