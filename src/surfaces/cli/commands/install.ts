import type { Level } from "../../../agents/setup/agent.ts";
import { targetAt } from "../../../agents/setup/agent-files.ts";
import { AGENTS } from "../../../agents/setup/agents.ts";
import { findInstallations, type InstallationStatus, isPresent } from "../../../agents/setup/find-installations.ts";
import { commandLineOf } from "../../../agents/setup/launch.ts";
import { isAllowed, planInstall } from "../../../agents/setup/plan.ts";
import type { ConfigTarget } from "../../../agents/setup/target.ts";
import { environmentOf, levelOf, namedTargets, OWN_NAME, serverName, TARGET_OPTIONS } from "../agent-targets.ts";
import { type Command, type Invocation, isSet } from "../args/command.ts";
import { UsageError } from "../args/usage-error.ts";
import { configureAgents } from "../configure-agents.ts";
import { printable, printJson, table } from "../output/print.ts";
import { ownLaunch } from "../own-launch.ts";
import { serverFlags } from "../server-flags.ts";
import { fillManifestCache } from "../with-toolbox.ts";

/** `toolwright install`. */
export const install: Command = {
  spec: {
    usage: "toolwright install [AGENT...] [--all] [--project] [--dry-run] [options] [-- MCP_OPTIONS]",
    about: `Adds Toolwright to the configuration of an agent, which then starts "toolwright mcp". Nothing else in the file changes,
and a backup is kept in ~/.toolwright/backups. Options after -- are passed to "toolwright mcp".

Without an agent, lists the supported agents, which of them are on this machine, and where Toolwright is installed.`,
    options: {
      ...TARGET_OPTIONS,
      defer: { type: "boolean", help: "Let the agent hide the tools behind its own search, if it has one" },
      allow: {
        type: "boolean",
        help: "Let the agent call the tools without asking, if its entry has a field for that",
      },
    },
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
    const defer = isSet(invocation, "defer") || flags.includes("--defer");
    const serverOptions = defer && !flags.includes("--defer") ? [...flags, "--defer"] : flags;
    const launch = ownLaunch(serverFlags(serverOptions, serverName(invocation), mcp.spec, invocation.globals.cwd));
    warnOfTemporaryCopy(invocation);
    if (targets.length === 0 && !invocation.globals.json) invocation.terminal.stdout.write(NO_AGENT);
    const options = {
      force: isSet(invocation, "force"),
      defer,
      allow: isSet(invocation, "allow"),
    };
    const code = await configureAgents(
      targets,
      (target) => planInstall(target, launch, options),
      {
        question: "Write this?",
        done: "Installed.",
        nothing: (target) => ["Already installed.", ...approvalHint(target, options.allow)].join(" "),
        command: ({ agent }) => commandLineOf(agent.toEntry(launch, level)),
        next: (target) => [...target.agent.nextSteps(target.name, level), ...approvalHint(target, options.allow)],
      },
      invocation,
    );
    if (targets.length > 0 && !isSet(invocation, "dry-run")) await fillManifestCache(invocation);
    return code;
  },
};

/** What the user still has to do before the agent calls the tools without asking. */
function approvalHint(target: ConfigTarget, wasRequested: boolean): string[] {
  const { agent, name, level } = target;
  if (isAllowed(target)) return [`${agent.name} calls these tools without asking.`];
  if (!agent.allowHint) {
    return wasRequested ? [`--allow has no effect for ${agent.name}: its entry has no field for that.`] : [];
  }
  const hint = agent.allowHint(name, level);
  if (!agent.allowFields) return [wasRequested ? `--allow has no effect for ${agent.name}. ${hint}` : hint];
  const flags = `${level === "project" ? " --project" : ""}${name === OWN_NAME ? "" : ` --name ${name}`}`;
  return [`${hint} Or run: toolwright install ${agent.id}${flags} --allow`];
}

const NO_AGENT =
  "No supported agent was found on this machine. To list the supported agents, run: toolwright install\n";

/** The first argument that begins with a dash is the first option for our server. */
function split(positionals: readonly string[]): { agents: string[]; flags: string[] } {
  const first = positionals.findIndex((argument) => argument.startsWith("-"));
  const end = first < 0 ? positionals.length : first;
  return { agents: positionals.slice(0, end), flags: positionals.slice(end) };
}

/** The agents on this machine that have a config file at this level. */
function present(agents: readonly string[], level: Level, invocation: Invocation): ConfigTarget[] {
  if (agents.length > 0) throw new UsageError("--all cannot be combined with names of agents.");
  const at = environmentOf(invocation);
  return AGENTS.filter((agent) => isPresent(agent, at)).flatMap(
    (agent) => targetAt(agent, level, at, serverName(invocation)) ?? [],
  );
}

function warnOfTemporaryCopy({ terminal }: Invocation): void {
  const [cli = ""] = ownLaunch().args;
  if (!/[\\/]_npx[\\/]/.test(cli)) return;
  terminal.stderr.write(
    "warning: this copy of toolwright is in the npx cache, which npm may delete. Install it permanently first, as its README describes, then run this again.\n",
  );
}

function list(invocation: Invocation): number {
  const { terminal, globals } = invocation;
  const agents = findInstallations(environmentOf(invocation), ownLaunch(), serverName(invocation));
  if (globals.json) {
    printJson(terminal, { agents: agents.map(withoutVariables) });
    return 0;
  }
  const rows = agents.map((agent) => [agent.id, agent.present ? "found" : "-", ...installedTexts(agent)]);
  const lines = table([["AGENT", "HERE", "INSTALLED"], ...rows], terminal.stdout.columns);
  terminal.stdout.write(`${lines.map(printable).join("\n")}\n\nNext: toolwright install AGENT\n`);
  return 0;
}

/** The environment variables of an entry may be secret. */
function withoutVariables({ installations, ...agent }: InstallationStatus): object {
  return { ...agent, installations: installations.map(({ env, ...rest }) => rest) };
}

const STATUS = {
  ok: "",
  stale: ", but its files are missing: install it again",
  off: ", but it is disabled there",
  foreign: ", which is another server with that name",
} as const;

function installedTexts({ installations, problems }: InstallationStatus): string[] {
  const there = installations.map(({ level, file, name, status }) => {
    const as = name === OWN_NAME ? "" : ` as "${name}"`;
    return `${level} (${file})${as}${STATUS[status]}`;
  });
  return [[...there, ...problems].join("; ") || "-"];
}
