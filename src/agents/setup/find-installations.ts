import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isSwitchedOff } from "../../catalog/discovery/mcp-entry.ts";
import { isFile } from "../../platform/files/is-folder.ts";
import type { AgentSetup, Launch, Level, UserEnvironment } from "./agent.ts";
import { type AgentFile, configFilesOf } from "./agent-files.ts";
import { AGENTS } from "./agents.ts";
import { commandLineOf, isOurEntry, missingFiles, variablesOf } from "./launch.ts";
import { planProblemText } from "./plan.ts";
import { type ConfigTarget, linkOutOfProject, serversIn } from "./target.ts";

/** Our server in one config file of an agent, or another server with our name. */
export interface Installation {
  readonly level: Level;
  readonly file: string;
  /** The name of the server in the file. */
  readonly name: string;
  /** The command line that the agent starts. */
  readonly command: readonly string[];
  /** The variables that the entry sets. They may be secret. */
  readonly env: Readonly<Record<string, string>>;
  /** `stale`: a file that the command needs is missing. `off`: the entry is disabled. `foreign`: not our server. */
  readonly status: "ok" | "stale" | "off" | "foreign";
}

/** One agent on this machine. */
export interface InstallationStatus {
  readonly id: string;
  readonly name: string;
  /** Whether it was found on this machine. */
  readonly present: boolean;
  /** Our server under any name, and any server called `name`. */
  readonly installations: readonly Installation[];
  /** Config files that cannot be read, as sentences. */
  readonly problems: readonly string[];
}

/** Searches the config files of every agent. `launch` is the command that `install` would write. Never throws. */
export function findInstallations(
  environment: UserEnvironment,
  launch: Launch,
  name = "toolwright",
): InstallationStatus[] {
  return AGENTS.map((agent) => {
    const results = configFilesOf(agent, environment).map((file) =>
      inspect({ ...file, agent, environment }, launch, name),
    );
    return {
      id: agent.id,
      name: agent.name,
      present: isPresent(agent, environment),
      installations: results.flatMap(({ installations = [] }) => installations),
      problems: results.flatMap(({ problem }) => problem ?? []),
    };
  });
}

/** Whether an agent has created files on this machine, or is on PATH. */
export function isPresent({ markers, programs }: AgentSetup, environment: UserEnvironment): boolean {
  return (
    markers(environment).some((path) => existsSync(path)) || programs.some((program) => isOnPath(program, environment))
  );
}

interface Inspected {
  readonly installations?: readonly Installation[];
  readonly problem?: string;
}

function inspect(
  { agent, level, file, environment }: AgentFile & Pick<ConfigTarget, "agent" | "environment">,
  launch: Launch,
  wanted: string,
): Inspected {
  const link = linkOutOfProject({ level, file, environment });
  if (link) return { problem: `${link.sentence} It was not read.` };
  try {
    const installations = serversIn({ agent, file, environment }).flatMap(([name, entry]): Installation[] => {
      const isOurs = isOurEntry(entry, launch, environment);
      if (!isOurs && name !== wanted) return [];
      const status = isOurs ? statusOf(entry) : "foreign";
      return [{ level, file, name, command: commandLineOf(entry), env: variablesOf(entry), status }];
    });
    return { installations };
  } catch (error) {
    return { problem: planProblemText(file, error) };
  }
}

function statusOf(entry: unknown): Installation["status"] {
  if (isSwitchedOff(entry)) return "off";
  return missingFiles(commandLineOf(entry)).length === 0 ? "ok" : "stale";
}

function isOnPath(program: string, { env, platform }: UserEnvironment): boolean {
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .some((folder) => endings.some((ending) => isFile(join(folder, `${program}${ending}`))));
}
