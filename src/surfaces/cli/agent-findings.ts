import type { Installation, InstallationStatus } from "../../agents/setup/find-installations.ts";
import { belongsToProject } from "../../catalog/discovery/repository.ts";
import { mentionsProject, startOptions } from "../../catalog/discovery/start-options.ts";
import { countText } from "../../platform/text/amount-text.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { defined } from "../../platform/values/defined.ts";
import type { Environment } from "../../settings/defaults.ts";
import { environmentOf, OWN_NAME } from "./agent-targets.ts";
import type { Invocation } from "./args/command.ts";
import { shownPath } from "./output/print.ts";
import { ownLaunch } from "./own-launch.ts";
import { pingServer } from "./ping-server.ts";

/** The result of one check of `doctor`. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  readonly fix?: string;
}

/** The project that `doctor` checks. */
interface Project {
  readonly root: string;
  readonly trusted: boolean;
}

/**
 * For each agent on this machine: whether our server is in its configuration, and whether it answers. In an untrusted project,
 * starts nothing that its files name, nothing that is in it, and nothing in its folder.
 */
export async function agentFindings(invocation: Invocation, project: Project): Promise<Finding[]> {
  const { findInstallations } = await import("../../agents/setup/find-installations.ts");
  const agents = findInstallations(environmentOf(invocation), ownLaunch()).filter(
    ({ present, installations, problems }) => present || installations.length + problems.length > 0,
  );
  const at = { invocation, project, ping: pingEachOnce() };
  const findings: Finding[] = [];
  for (const agent of agents) findings.push(...(await findingsOf(agent, at)));
  return findings;
}

interface At {
  readonly invocation: Invocation;
  readonly project: Project;
  readonly ping: typeof pingServer;
}

/** Most agents start the same command: it is tested once. Tests run one at a time, to measure the time of each. */
function pingEachOnce(): typeof pingServer {
  const known = new Map<string, ReturnType<typeof pingServer>>();
  return (words, at) => {
    const key = JSON.stringify([words, at]);
    const ping = known.get(key) ?? pingServer(words, at);
    known.set(key, ping);
    return ping;
  };
}

async function findingsOf(agent: InstallationStatus, at: At): Promise<Finding[]> {
  const { id, name, installations, problems } = agent;
  const broken = problems.map(
    (problem): Finding => found("agent", "warn", `${name}: ${problem}`, "Correct the file, then run this again."),
  );
  const findings = [...broken];
  for (const each of installations) findings.push(await finding(agent, each, at));
  if (findings.length > 0) return findings;
  return [found("agent", "ok", `${name} found. To give it your tools, run: toolwright install ${id}`)];
}

async function finding(agent: InstallationStatus, installation: Installation, at: At): Promise<Finding> {
  const { invocation, project } = at;
  const { name, file, command, status, level } = installation;
  const { globals, terminal } = invocation;
  const where = `in ${shownPath(file, globals.cwd)}`;
  const installed = `${agent.name}: installed ${where}${name === OWN_NAME ? "" : ` as "${name}"`}`;
  const shown = command.map((word) => shellWord(word)).join(" ");
  if (status === "foreign") {
    const message = `${agent.name}: the server "${name}" ${where} is another server: ${shown}`;
    return found("agent", "warn", message, `Run: toolwright install ${agent.id}${levelFlag(level)} --name my-tools`);
  }
  if (status === "stale") {
    const message = `${agent.name}: the files of its command (${where}) are missing: ${shown}`;
    return found("agent", "fail", message, `Run: ${installAgain(agent.id, installation)}`);
  }
  if (status === "off")
    return found("agent", "warn", `${installed}, but disabled there`, `Enable it in ${agent.name}.`);
  const { home } = environmentOf(invocation);
  // An editor replaces this variable before it starts the server.
  const words = command.map((word) => word.replace(/\$\{workspaceFolder\}/g, () => globals.cwd));
  const isTheirs = level === "project" || belongsToProject(file, project.root, home);
  if (!project.trusted && (isTheirs || startsFrom(words, installation.env, project.root, terminal.env))) {
    const message = `${installed}, not tested because this project is not trusted: ${shown}`;
    return found("agent", "warn", message, "If this command is correct, run: toolwright trust");
  }
  const start = startOptions({ ...terminal.env, ...installation.env }, project, home);
  const ping = await at.ping(words, { env: start.env, cwd: project.trusted ? globals.cwd : start.cwd });
  if (!ping.ok)
    return found("agent", "fail", `${installed}, but does not answer: ${ping.reason}`, `Run it yourself: ${shown}`);
  const tools = countText(ping.tools, "tool");
  return found("agent", "ok", `${installed}, answers in ${ping.ms} ms with ${tools}`);
}

/** Whether a command line runs a file of the project. The value of `--cwd` is not run. */
function startsFrom(words: readonly string[], set: Installation["env"], root: string, env: Environment): boolean {
  const isServed = (at: number): boolean => words[at - 1] === "--cwd" && words.slice(0, at).includes("mcp");
  const run = words.filter((_, at) => !isServed(at));
  return [...run, ...Object.values(set)].some((text) => mentionsProject(text, root, env));
}

/** The result of a check. */
export function found(name: string, status: Finding["status"], message: string, fix?: string): Finding {
  return { name, status, message, ...defined({ fix }) };
}

/** The command that installs it again with the same options. */
export function installAgain(id: string, { name, level, command }: Installation): string {
  const options = command.slice(command.indexOf("mcp") + 1);
  const flags = options[0] === "--name" ? options.slice(2) : options;
  const own = flags[0] === "--cwd" && flags[1]?.startsWith("$") ? flags.slice(2) : flags;
  const named = name === OWN_NAME ? "" : ` --name ${shellWord(name)}`;
  return `toolwright install ${id}${levelFlag(level)}${named}${own.length === 0 ? "" : ` -- ${own.map((word) => shellWord(word)).join(" ")}`}`;
}

function levelFlag(level: Installation["level"]): string {
  return level === "project" ? " --project" : "";
}
