import { homedir } from "node:os";
import type { AgentSetup, Level, UserEnvironment } from "../../agents/setup/agent.ts";
import { targetAt } from "../../agents/setup/agent-files.ts";
import { AGENTS, findAgent } from "../../agents/setup/agents.ts";
import type { ConfigTarget } from "../../agents/setup/target.ts";
import { projectOf } from "../../catalog/discovery/repository.ts";
import { homes } from "../../settings/defaults.ts";
import { type Invocation, isSet, type OptionSpecs, optionValue } from "./args/command.ts";
import { didYouMean, UsageError } from "./args/usage-error.ts";

/** The options that `install` and `uninstall` share. */
export const TARGET_OPTIONS: OptionSpecs = {
  user: { type: "boolean", help: "For all your projects (default)" },
  project: { type: "boolean", help: "In this project's configuration, for everyone who works in it" },
  all: { type: "boolean", help: "Every agent found on this machine" },
  name: { type: "string", value: "NAME", help: 'Name of the server in the agent (default "toolwright")' },
  "dry-run": { type: "boolean", help: "Show the changes without making them" },
  force: { type: "boolean", help: "Even if another server has that name" },
  yes: { type: "boolean", short: "y", help: "Do not ask for confirmation" },
};

/** The environment in which agents look for their config files. */
export function environmentOf({ globals, terminal }: Invocation): UserEnvironment {
  const { env } = terminal;
  const { home } = homes(env, homedir(), { cwd: globals.cwd });
  return { env, home, cwd: globals.cwd, platform: process.platform, project: projectOf(globals.cwd) };
}

/** `--user` or `--project`. */
export function levelOf(invocation: Invocation): Level {
  if (isSet(invocation, "user") && isSet(invocation, "project")) {
    throw new UsageError("--user and --project cannot be combined.");
  }
  return isSet(invocation, "project") ? "project" : "user";
}

/** The default name of our server in agents. */
export const OWN_NAME = "toolwright";

/** The name of our server. It is short because agents prefix the names of tools with it, and limit them to 64 characters. */
export function serverName(invocation: Invocation): string {
  const name = optionValue(invocation, "name") ?? OWN_NAME;
  if (/^[A-Za-z0-9_-]{1,30}$/.test(name)) return name;
  throw new UsageError("--name takes up to 30 letters, digits, - and _.");
}

/** The config files of the named agents. Throws a `UsageError` for an unknown agent, or one without a file at this level. */
export function namedTargets(names: readonly string[], level: Level, invocation: Invocation): ConfigTarget[] {
  const at = environmentOf(invocation);
  const agents = new Set(names.map(agentNamed));
  return [...agents].map((agent) => {
    const target = targetAt(agent, level, at, serverName(invocation));
    if (target) return target;
    throw new UsageError(`${agent.name} has no configuration for projects. Remove --project.`);
  });
}

function agentNamed(name: string): AgentSetup {
  const agent = findAgent(name);
  if (agent) return agent;
  const ids = AGENTS.map(({ id }) => id);
  throw new UsageError(`Unknown agent "${name}". ${didYouMean(name, ids, `Agents: ${ids.join(", ")}.`)}`);
}
