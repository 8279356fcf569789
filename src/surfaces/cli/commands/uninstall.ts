import type { Level } from "../../../agents/setup/agent.ts";
import {
  findInstallations,
  type Installation,
  type InstallationStatus,
} from "../../../agents/setup/find-installations.ts";
import { planUninstall } from "../../../agents/setup/plan.ts";
import type { ConfigTarget } from "../../../agents/setup/target.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { environmentOf, levelOf, namedTargets, OWN_NAME, serverName, TARGET_OPTIONS } from "../agent-targets.ts";
import { type Command, isSet } from "../args/command.ts";
import { UsageError } from "../args/usage-error.ts";
import { configureAgents, LEVELS } from "../configure-agents.ts";
import { ownLaunch } from "../own-launch.ts";

/** `toolwright uninstall`. */
export const uninstall: Command = {
  spec: {
    usage: "toolwright uninstall AGENT...|--all [--project] [--dry-run] [options]",
    about: `Removes the entry that "toolwright install" added to the configuration of an agent. Nothing else in the file changes.`,
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
      throw new UsageError("Name an agent, or use --all: toolwright uninstall cursor");
    const name = serverName(invocation);
    const statuses = findInstallations(environmentOf(invocation), ownLaunch(), name).map(oursOnly);
    const names = all
      ? statuses.filter((agent) => installationsAt(level, name, agent).length > 0).map(({ id }) => id)
      : positionals;
    if (all && !globals.json) terminal.stdout.write(remarks(level, name, statuses));
    const force = isSet(invocation, "force");
    return configureAgents(
      namedTargets(names, level, invocation).flatMap((target) => everyTarget(target, statuses)),
      (target) => planUninstall(target, ownLaunch(), { force }),
      {
        question: "Remove this?",
        done: "Removed.",
        nothing: (target) => `Not installed.${elsewhere(target, statuses)}`,
        next: ({ agent }) => [`Restart ${agent.name}.`],
      },
      invocation,
    );
  },
};

function oursOnly(agent: InstallationStatus): InstallationStatus {
  return { ...agent, installations: agent.installations.filter(({ status }) => status !== "foreign") };
}

function installationsAt(level: Level, name: string, { installations }: InstallationStatus): Installation[] {
  return installations.filter((each) => each.level === level && each.name === name);
}

/** Every file of the agent that has our server under this name; `target` if none has. */
function everyTarget(target: ConfigTarget, statuses: readonly InstallationStatus[]): ConfigTarget[] {
  const agent = statuses.find(({ id }) => id === target.agent.id);
  const files = new Set(agent && installationsAt(target.level, target.name, agent).map(({ file }) => file));
  return files.size === 0 ? [target] : [...files].map((file) => ({ ...target, file }));
}

/** The installations that `--all` keeps: those at the other level, and those with another name. */
function remarks(level: Level, name: string, statuses: readonly InstallationStatus[]): string {
  const all = statuses.flatMap((agent) => agent.installations.map((each) => ({ agent, each })));
  if (all.length === 0) return "Toolwright is not installed in any agent.\n";
  const others = all.filter(({ each }) => each.level !== level || each.name !== name);
  const kept = others.map(({ agent, each }) => `${agent.name} keeps it ${whereabouts(agent.id, each)}\n`).join("");
  return others.length < all.length ? kept : `Nothing is installed ${LEVELS[level]}.\n${kept}`;
}

/** Where else the agent has our server. */
function elsewhere({ agent, level, name }: ConfigTarget, statuses: readonly InstallationStatus[]): string {
  const installations = statuses.find(({ id }) => id === agent.id)?.installations ?? [];
  const other = installations.find((each) => each.level !== level || each.name !== name);
  return other ? ` It is ${whereabouts(agent.id, other)}` : "";
}

function whereabouts(id: string, { file, name, level }: Installation): string {
  const [as, flag] = name === OWN_NAME ? ["", ""] : [` as "${name}"`, ` --name ${shellWord(name)}`];
  return `in ${file}${as}: toolwright uninstall ${id}${flag}${level === "project" ? " --project" : ""}`;
}
