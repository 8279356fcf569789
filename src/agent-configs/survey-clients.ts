import { existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isSwitchedOff } from "../discovery/mcp-entry.ts";
import type { Client, Launch, Level, Surroundings } from "./agent.ts";
import { CLIENTS } from "./agents.ts";
import { type ClientFile, filesOf } from "./client-files.ts";
import { missingFiles, startsUs, variablesOf, wordsOf } from "./launch.ts";
import { problemText } from "./plan.ts";
import { leadsElsewhere, serversIn } from "./target.ts";

/** Our server in one configuration of a client, or one that has our name. */
export interface Installation {
  readonly level: Level;
  readonly file: string;
  /** What the server is called there. */
  readonly name: string;
  /** What the client starts. */
  readonly command: readonly string[];
  /** What it sets for it. May be secret. */
  readonly env: Readonly<Record<string, string>>;
  /** `stale`: a file that the command needs is gone. `off`: the client is told not to use it. `foreign`: not our server. */
  readonly status: "ok" | "stale" | "off" | "foreign";
}

/** One client as it is on this machine. */
export interface SurveyedClient {
  readonly id: string;
  readonly name: string;
  /** Whether somebody has used it, or could start it. */
  readonly present: boolean;
  /** Our server by whatever name, and whoever has `name`. */
  readonly installations: readonly Installation[];
  /** Configurations that cannot be read, as sentences. */
  readonly problems: readonly string[];
}

/** Looks at every client, and changes nothing. `launch` is how we would be installed now. Never throws. */
export function surveyClients(at: Surroundings, launch: Launch, name = "toolwright"): SurveyedClient[] {
  return CLIENTS.map((client) => {
    const looked = filesOf(client, at).map((file) => look(client, file, at, launch, name));
    return {
      id: client.id,
      name: client.name,
      present: isPresent(client, at),
      installations: looked.flatMap(({ installations = [] }) => installations),
      problems: looked.flatMap(({ problem }) => problem ?? []),
    };
  });
}

/** Whether a client has left something behind on this machine, or is on PATH. */
export function isPresent({ traces, programs }: Client, at: Surroundings): boolean {
  return traces(at).some((path) => existsSync(path)) || programs.some((program) => isOnPath(program, at));
}

interface Looked {
  readonly installations?: readonly Installation[];
  readonly problem?: string;
}

function look(client: Client, { level, file }: ClientFile, at: Surroundings, launch: Launch, wanted: string): Looked {
  const elsewhere = leadsElsewhere({ level, file, at });
  if (elsewhere) return { problem: `${elsewhere.sentence} It is not read.` };
  try {
    const installations = serversIn({ client, file, at }).flatMap(([name, entry]): Installation[] => {
      const isOurs = startsUs(entry, launch, at);
      if (!isOurs && name !== wanted) return [];
      const status = isOurs ? statusOf(entry) : "foreign";
      return [{ level, file, name, command: wordsOf(entry), env: variablesOf(entry), status }];
    });
    return { installations };
  } catch (error) {
    return { problem: problemText(file, error) };
  }
}

function statusOf(entry: unknown): Installation["status"] {
  if (isSwitchedOff(entry)) return "off";
  return missingFiles(wordsOf(entry)).length === 0 ? "ok" : "stale";
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
