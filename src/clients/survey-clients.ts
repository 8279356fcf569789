import { existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Client, Launch, Level, Surroundings } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { missingFiles, startsUs, wordsOf } from "./launch.ts";
import { installedEntry, problemText, type Target } from "./plan.ts";

/** Our server in one configuration of a client. */
export interface Installation {
  readonly level: Level;
  readonly file: string;
  /** What the client starts. */
  readonly command: readonly string[];
  /** `stale`: a file that the command needs is gone. `foreign`: our name, but not our server. */
  readonly status: "ok" | "stale" | "foreign";
}

/** One client as it is on this machine. */
export interface SurveyedClient {
  readonly id: string;
  readonly name: string;
  /** Whether somebody has used it, or could start it. */
  readonly present: boolean;
  /** At most one for each level. */
  readonly installations: readonly Installation[];
  /** Configurations that cannot be read, as sentences. */
  readonly problems: readonly string[];
}

/** Looks at every client, and changes nothing. `launch` is how we would be installed now. Never throws. */
export function surveyClients(at: Surroundings, launch: Launch, name = "toolwright"): SurveyedClient[] {
  return CLIENTS.map((client) => {
    const looked = targetsOf(client, at, name).map((target) => look(target, launch));
    return {
      id: client.id,
      name: client.name,
      present: isPresent(client, at),
      installations: looked.flatMap(({ installation }) => installation ?? []),
      problems: looked.flatMap(({ problem }) => problem ?? []),
    };
  });
}

/** The configuration of a client at a level; undefined where it has none there. */
export function targetAt(client: Client, level: Level, at: Surroundings, name: string): Target | undefined {
  const file = client.file[level]?.(at);
  return file === undefined ? undefined : { client, level, file, name };
}

/** Whether a client has left something behind on this machine, or is on PATH. */
export function isPresent({ traces, programs }: Client, at: Surroundings): boolean {
  return traces(at).some((path) => existsSync(path)) || programs.some((program) => isOnPath(program, at));
}

function targetsOf(client: Client, at: Surroundings, name: string): Target[] {
  const levels: readonly Level[] = ["user", "project"];
  return levels.flatMap((level) => targetAt(client, level, at, name) ?? []);
}

function look(target: Target, launch: Launch): { installation?: Installation; problem?: string } {
  try {
    const entry = installedEntry(target);
    if (entry === undefined) return {};
    const command = wordsOf(entry);
    const { level, file } = target;
    const works = missingFiles(command).length === 0 ? "ok" : "stale";
    return { installation: { level, file, command, status: startsUs(entry, launch) ? works : "foreign" } };
  } catch (error) {
    return { problem: problemText(target.file, error) };
  }
}

function isOnPath(program: string, { env, platform }: Surroundings): boolean {
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .some((folder) => endings.some((ending) => isFile(join(folder, `${program}${ending}`))));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
