import type { Level } from "../../../clients/client.ts";
import { planUninstall, type Target } from "../../../clients/plan.ts";
import { type SurveyedClient, surveyClients } from "../../../clients/survey-clients.ts";
import { levelOf, namedTargets, serverName, surroundingsOf, TARGET_OPTIONS } from "../client-targets.ts";
import { type Command, isSet } from "../command.ts";
import { configureClients } from "../configure-clients.ts";
import { ownLaunch } from "../own-launch.ts";
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
    const survey = surveyClients(surroundingsOf(invocation), ownLaunch(), serverName(invocation));
    const names = all ? installedAt(level, survey) : positionals;
    if (names.length === 0 && !globals.json)
      terminal.stdout.write("It is not installed in any agent: nothing to do.\n");
    const force = isSet(invocation, "force");
    return configureClients(
      namedTargets(names, level, invocation),
      (target) => planUninstall(target, ownLaunch(), { force }),
      {
        question: "Remove this?",
        done: "Removed.",
        nothing: (target) => `Not installed: nothing to do.${elsewhere(target, survey)}`,
        next: ({ client }) => [`${client.name} forgets it when it is started again.`],
      },
      invocation,
    );
  },
};

function installedAt(level: Level, survey: readonly SurveyedClient[]): string[] {
  return survey
    .filter(({ installations }) => installations.some((each) => each.level === level && each.status !== "foreign"))
    .map(({ id }) => id);
}

/** Whoever looks for it at one level may mean the other. */
function elsewhere({ client, level }: Target, survey: readonly SurveyedClient[]): string {
  const installations = survey.find(({ id }) => id === client.id)?.installations ?? [];
  const other = installations.find((each) => each.level !== level && each.status !== "foreign");
  return other ? ` It is in ${other.file}: toolwright uninstall ${client.id} --${other.level}` : "";
}
