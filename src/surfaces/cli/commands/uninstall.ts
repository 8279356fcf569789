import type { Level } from "../../../agent-configs/agent.ts";
import { type AgentStatus, findInstallations, type Installation } from "../../../agent-configs/find-installations.ts";
import { planUninstall } from "../../../agent-configs/plan.ts";
import type { Target } from "../../../agent-configs/target.ts";
import { environmentOf, levelOf, namedTargets, OWN_NAME, serverName, TARGET_OPTIONS } from "../agent-targets.ts";
import { type Command, isSet } from "../command.ts";
import { configureAgents, LEVELS } from "../configure-agents.ts";
import { ownLaunch } from "../own-launch.ts";
import { shellWord } from "../shell-word.ts";
import { UsageError } from "../usage-error.ts";

/** `toolwright uninstall`. */
export const uninstall: Command = {
  spec: {
    usage: "toolwright uninstall AGENT … | --all [--project] [--dry-run] [options]",
    about: `Takes out of an agent's configuration what "toolwright install" has written there, and nothing else.`,
    options: TARGET_OPTIONS,
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: [
      "toolwright uninstall claude-code",
      "toolwright uninstall cursor --project",
      "toolwright uninstall --all",
    ],
  },
  run: async (invocation) => {
    const { positionals, globals, terminal } = invocation;
    const level = levelOf(invocation);
    const all = isSet(invocation, "all");
    if (all === positionals.length > 0)
      throw new UsageError("Say from which agents, or --all: toolwright uninstall cursor");
    const name = serverName(invocation);
    const survey = findInstallations(environmentOf(invocation), ownLaunch(), name).map(oursOnly);
    const names = all
      ? survey.filter((agent) => placesAt(level, name, agent).length > 0).map(({ id }) => id)
      : positionals;
    if (all && !globals.json) terminal.stdout.write(remarks(level, name, survey));
    const force = isSet(invocation, "force");
    return configureAgents(
      namedTargets(names, level, invocation).flatMap((target) => everyPlace(target, survey)),
      (target) => planUninstall(target, ownLaunch(), { force }),
      {
        question: "Remove this?",
        done: "Removed.",
        nothing: (target) => `Not installed: nothing to do.${elsewhere(target, survey)}`,
        next: ({ agent }) => [`${agent.name} forgets it when it is started again.`],
      },
      invocation,
    );
  },
};

function oursOnly(agent: AgentStatus): AgentStatus {
  return { ...agent, installations: agent.installations.filter(({ status }) => status !== "foreign") };
}

function placesAt(level: Level, name: string, { installations }: AgentStatus): Installation[] {
  return installations.filter((each) => each.level === level && each.name === name);
}

/** Every file of the agent that has our server by this name; the one to look in where none has. */
function everyPlace(target: Target, survey: readonly AgentStatus[]): Target[] {
  const agent = survey.find(({ id }) => id === target.agent.id);
  const files = new Set(agent && placesAt(target.level, target.name, agent).map(({ file }) => file));
  return files.size === 0 ? [target] : [...files].map((file) => ({ ...target, file }));
}

/** What "all" does not mean: those at the other level, and those of another name. */
function remarks(level: Level, name: string, survey: readonly AgentStatus[]): string {
  const all = survey.flatMap((agent) => agent.installations.map((each) => ({ agent, each })));
  if (all.length === 0) return "It is not installed in any agent: nothing to do.\n";
  const others = all.filter(({ each }) => each.level !== level || each.name !== name);
  const kept = others.map(({ agent, each }) => `${agent.name} keeps it ${whereabouts(agent.id, each)}\n`).join("");
  return others.length < all.length ? kept : `There is nothing to do ${LEVELS[level]}.\n${kept}`;
}

/** Whoever looks for it in one place may mean another. */
function elsewhere({ agent, level, name }: Target, survey: readonly AgentStatus[]): string {
  const installations = survey.find(({ id }) => id === agent.id)?.installations ?? [];
  const other = installations.find((each) => each.level !== level || each.name !== name);
  return other ? ` It is ${whereabouts(agent.id, other)}` : "";
}

function whereabouts(id: string, { file, name, level }: Installation): string {
  const [as, flag] = name === OWN_NAME ? ["", ""] : [` as "${name}"`, ` --name ${shellWord(name)}`];
  return `in ${file}${as}: toolwright uninstall ${id}${flag}${level === "project" ? " --project" : ""}`;
}
