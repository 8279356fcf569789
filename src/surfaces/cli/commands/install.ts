import type { Level } from "../../../agent-configs/agent.ts";
import { targetAt } from "../../../agent-configs/agent-files.ts";
import { AGENTS } from "../../../agent-configs/agents.ts";
import { type AgentStatus, findInstallations, isPresent } from "../../../agent-configs/find-installations.ts";
import { commandLineOf } from "../../../agent-configs/launch.ts";
import { planInstall } from "../../../agent-configs/plan.ts";
import type { Target } from "../../../agent-configs/target.ts";
import { environmentOf, levelOf, namedTargets, OWN_NAME, serverName, TARGET_OPTIONS } from "../agent-targets.ts";
import { type Command, type Invocation, isSet } from "../command.ts";
import { configureAgents } from "../configure-agents.ts";
import { ownLaunch } from "../own-launch.ts";
import { printable, printJson, table } from "../print.ts";
import { serverFlags } from "../server-flags.ts";
import { UsageError } from "../usage-error.ts";

/** `toolwright install`. */
export const install: Command = {
  spec: {
    usage: "toolwright install [AGENT …] [--project] [--all] [--dry-run] [options] [-- OPTIONS OF MCP]",
    about: `Makes your tools known to an agent: writes into its own configuration that it is to start "toolwright mcp".
Everything else in that file stays as it is, and a copy of it is kept in ~/.toolwright/backups. Without an agent it lists those that are known,
which of them are on this machine, and where toolwright is installed. What stands after -- goes to "toolwright mcp".`,
    options: TARGET_OPTIONS,
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: [
      "toolwright install",
      "toolwright install claude-code",
      "toolwright install cursor --project --dry-run",
      "toolwright install --all --yes",
      "toolwright install codex -- --builtins",
    ],
  },
  run: async (invocation) => {
    const { agents, flags } = split(invocation.positionals);
    const level = levelOf(invocation);
    if (agents.length === 0 && !isSet(invocation, "all")) return list(invocation);
    const targets = isSet(invocation, "all")
      ? present(agents, level, invocation)
      : namedTargets(agents, level, invocation);
    const { mcp } = await import("./mcp.ts");
    const launch = ownLaunch(serverFlags(flags, serverName(invocation), mcp.spec, invocation.globals.cwd));
    warnOfTemporaryCopy(invocation);
    if (targets.length === 0 && !invocation.globals.json) invocation.terminal.stdout.write(NOBODY);
    const force = isSet(invocation, "force");
    return configureAgents(
      targets,
      (target) => planInstall(target, launch, { force }),
      {
        question: "Write this?",
        done: "Installed.",
        nothing: () => "Already installed: nothing to do.",
        command: ({ agent }) => commandLineOf(agent.toEntry(launch, level)),
        next: ({ agent, name }) => agent.next(name, level),
      },
      invocation,
    );
  },
};

const NOBODY = "None of the agents that are known was found on this machine. To see them: toolwright install\n";

/** No agent has a name that begins with a dash: from the first one on they are options for our server. */
function split(positionals: readonly string[]): { agents: string[]; flags: string[] } {
  const first = positionals.findIndex((word) => word.startsWith("-"));
  const end = first < 0 ? positionals.length : first;
  return { agents: positionals.slice(0, end), flags: positionals.slice(end) };
}

/** Those without a configuration at this level are not meant. */
function present(agents: readonly string[], level: Level, invocation: Invocation): Target[] {
  if (agents.length > 0) throw new UsageError("--all means every agent: leave the names out, or leave --all out.");
  const at = environmentOf(invocation);
  return AGENTS.filter((agent) => isPresent(agent, at)).flatMap(
    (agent) => targetAt(agent, level, at, serverName(invocation)) ?? [],
  );
}

/** What npx runs lies in a cache that npm may empty. */
function warnOfTemporaryCopy({ terminal }: Invocation): void {
  const [cli = ""] = ownLaunch().args;
  if (!/[\\/]_npx[\\/]/.test(cli)) return;
  terminal.stderr.write(
    "warning: this copy of toolwright lies in npm's cache, which may be emptied. Better first: npm install -g toolwright\n",
  );
}

function list(invocation: Invocation): number {
  const { terminal, globals } = invocation;
  const agents = findInstallations(environmentOf(invocation), ownLaunch(), serverName(invocation));
  if (globals.json) {
    printJson(terminal, { agents: agents.map(withoutVariables) });
    return 0;
  }
  const rows = agents.map((agent) => [agent.id, agent.present ? "found" : "-", ...installedWords(agent)]);
  const lines = table([["AGENT", "HERE", "INSTALLED"], ...rows], terminal.stdout.columns);
  terminal.stdout.write(`${lines.map(printable).join("\n")}\n\nNext: toolwright install AGENT\n`);
  return 0;
}

/** What an entry sets in the environment may be secret. */
function withoutVariables({ installations, ...agent }: AgentStatus): object {
  return { ...agent, installations: installations.map(({ env, ...rest }) => rest) };
}

const STATUS = {
  ok: "",
  stale: ", but what it starts is gone: install it again",
  off: ", but it is switched off there",
  foreign: ", which is another server of that name",
} as const;

function installedWords({ installations, problems }: AgentStatus): string[] {
  const there = installations.map(({ level, file, name, status }) => {
    const as = name === OWN_NAME ? "" : ` as "${name}"`;
    return `${level} (${file})${as}${STATUS[status]}`;
  });
  return [[...there, ...problems].join("; ") || "-"];
}
