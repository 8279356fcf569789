import { resolve } from "node:path";
import { ancestors } from "../../catalog/discovery/repository.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { AgentSetup, Level, UserEnvironment } from "./agent.ts";
import { type ConfigTarget, linkOutOfProject, serversIn } from "./target.ts";

/** One config file of an agent. */
export interface AgentFile {
  readonly level: Level;
  readonly file: string;
}

/** Every config file that an agent reads in this environment, each once, the user's first. None need exist. */
export function configFilesOf(agent: AgentSetup, environment: UserEnvironment): AgentFile[] {
  const files = new Map<string, Level>();
  for (const level of ["user", "project"] as const) {
    for (const file of filesAt(agent, level, environment)) if (!files.has(file)) files.set(file, level);
  }
  return [...files].map(([file, level]) => ({ level, file }));
}

/**
 * The config file to write to: one that already has a server of this name, since two would override each other, else the
 * first. Undefined if the agent has no config file at this level.
 */
export function targetAt(
  agent: AgentSetup,
  level: Level,
  environment: UserEnvironment,
  name: string,
): ConfigTarget | undefined {
  const files = level === "user" ? agent.files.user(environment) : agent.files.project?.(environment.project);
  const toTarget = (file: string): ConfigTarget => ({ agent, level, file, name, environment });
  return files && (files.map(toTarget).find(hasServer) ?? toTarget(files[0]));
}

/** Agents read a project's config files in its root and in each folder from there to the working directory. */
function filesAt({ files }: AgentSetup, level: Level, environment: UserEnvironment): readonly string[] {
  if (level === "user") return [...files.user(environment), ...(files.others?.(environment) ?? [])];
  const { cwd, project } = environment;
  const folders = [project, ...ancestors(realPath(cwd) ?? resolve(cwd), project)];
  return folders.flatMap((folder) => files.project?.(folder) ?? []);
}

function hasServer(target: ConfigTarget): boolean {
  return (
    tryOrUndefined(() => !linkOutOfProject(target) && serversIn(target).some(([name]) => name === target.name)) ?? false
  );
}
