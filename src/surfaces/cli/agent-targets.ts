import { homedir } from "node:os";
import type { Agent, Level, UserEnvironment } from "../../agent-configs/agent.ts";
import { targetAt } from "../../agent-configs/agent-files.ts";
import { AGENTS, findAgent } from "../../agent-configs/agents.ts";
import type { Target } from "../../agent-configs/target.ts";
import { homes } from "../../config/options.ts";
import { projectOf } from "../../discovery/repository.ts";
import { type Invocation, isSet, type OptionSpecs, optionValue } from "./command.ts";
import { didYouMean, UsageError } from "./usage-error.ts";

/** The options that `install` and `uninstall` share. */
export const TARGET_OPTIONS: OptionSpecs = {
  user: { type: "boolean", help: "for all projects of yours (this is the default)" },
  project: { type: "boolean", help: "in this project's own configuration, for whoever works in it" },
  all: { type: "boolean", help: "every agent that is found on this machine" },
  name: { type: "string", value: "NAME", help: 'the name of the server there (default "toolwright")' },
  "dry-run": { type: "boolean", help: "show what would be done, and do nothing" },
  force: { type: "boolean", help: "also where another server has that name" },
  yes: { type: "boolean", short: "y", help: "do not ask" },
};

/** Where the configurations of agents are, seen from here. */
export function environmentOf({ globals, terminal }: Invocation): UserEnvironment {
  const { env } = terminal;
  const { home } = homes(env, homedir(), { cwd: globals.cwd });
  return { env, home, cwd: globals.cwd, platform: process.platform, project: projectOf(globals.cwd) };
}

/** Whom it is for. */
export function levelOf(invocation: Invocation): Level {
  if (isSet(invocation, "user") && isSet(invocation, "project")) {
    throw new UsageError("--user and --project exclude each other: say one of them.");
  }
  return isSet(invocation, "project") ? "project" : "user";
}

/** What our server is called unless somebody says otherwise. */
export const OWN_NAME = "toolwright";

/** What our server is to be called. Agents put it before the names of tools, which they cut at 64 characters. */
export function serverName(invocation: Invocation): string {
  const name = optionValue(invocation, "name") ?? OWN_NAME;
  if (/^[A-Za-z0-9_-]{1,30}$/.test(name)) return name;
  throw new UsageError("--name takes up to 30 letters, digits, - and _.");
}

/** The configurations of the agents that were named. Throws a `UsageError` for one that is not known, or not at this level. */
export function namedTargets(names: readonly string[], level: Level, invocation: Invocation): Target[] {
  const at = environmentOf(invocation);
  const agents = new Set(names.map(agentNamed));
  return [...agents].map((agent) => {
    const target = targetAt(agent, level, at, serverName(invocation));
    if (target) return target;
    throw new UsageError(`${agent.name} has no configuration for a project: leave --project out.`);
  });
}

function agentNamed(name: string): Agent {
  const agent = findAgent(name);
  if (agent) return agent;
  const ids = AGENTS.map(({ id }) => id);
  throw new UsageError(`There is no agent "${name}". ${didYouMean(name, ids, `There are: ${ids.join(", ")}.`)}`);
}
