import { resolve } from "node:path";
import { ancestors } from "../discovery/repository.ts";
import { realPath } from "../discovery/resolved-path.ts";
import type { Client, Level, Surroundings } from "./agent.ts";
import { leadsElsewhere, serversIn, type Target } from "./target.ts";

/** One file in which a client may have our server. */
export interface ClientFile {
  readonly level: Level;
  readonly file: string;
}

/** Every file that a client reads here, each once, the user's first. None need exist. */
export function filesOf(client: Client, at: Surroundings): ClientFile[] {
  const files = new Map<string, Level>();
  for (const level of ["user", "project"] as const) {
    for (const file of filesAt(client, level, at)) if (!files.has(file)) files.set(file, level);
  }
  return [...files].map(([file, level]) => ({ level, file }));
}

/**
 * The configuration of a client at a level in which to write our server: one that has a server of the name, for it would
 * override others or be overridden, else the first. Undefined where the client has none at this level.
 */
export function targetAt(client: Client, level: Level, at: Surroundings, name: string): Target | undefined {
  const files = level === "user" ? client.files.user(at) : client.files.project?.(at.project);
  const to = (file: string): Target => ({ client, level, file, name, at });
  return files && (files.map(to).find(hasServer) ?? to(files[0]));
}

/** A project's servers may be configured in its root, and in each folder from there to where the client is started. */
function filesAt({ files }: Client, level: Level, at: Surroundings): readonly string[] {
  if (level === "user") return [...files.user(at), ...(files.others?.(at) ?? [])];
  const start = realPath(at.cwd) ?? resolve(at.cwd);
  const folders = [at.project, ...ancestors(start, at.project)];
  return folders.flatMap((folder) => files.project?.(folder) ?? []);
}

function hasServer(target: Target): boolean {
  try {
    return !leadsElsewhere(target) && serversIn(target).some(([each]) => each === target.name);
  } catch {
    return false;
  }
}
