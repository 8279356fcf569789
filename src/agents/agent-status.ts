import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentError } from "../core/agent-error.ts";
import type { AgentContext } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import { resolveLinks } from "../files/real-path.ts";
import {
  type AgentPackage,
  type AgentProgram,
  findCommand,
  findPackage,
  importPackage,
  installCommand,
} from "./agent-packages.ts";
import { knownAgents, loadAdapter } from "./known-agents.ts";

/** A package or program that an agent needs, and whether it is there. */
export interface NeedStatus {
  /** The name of the package or program. */
  readonly name: string;
  readonly status: "ready" | "not_installed" | "broken";
  readonly version?: string;
  /** The folder of the package, or the command of the program. */
  readonly path?: string;
  /** What is wrong, and what to do. */
  readonly problem?: string;
  /** The command that installs it. */
  readonly install?: string;
}

/** Whether an agent can run here. */
export interface AgentStatus {
  readonly name: string;
  readonly status: NeedStatus["status"];
  readonly needs: readonly NeedStatus[];
}

/** How long the import of a package may take. */
const IMPORT_MS = 20_000;

/** Checks what each agent needs: imports packages and looks for programs. Starts no agent. Never rejects. */
export async function* inspectAgents(context: AgentContext): AsyncGenerator<AgentStatus> {
  for (const name of knownAgents.names(context)) {
    const needs: NeedStatus[] = [];
    for (const need of await needsOf(name, context)) {
      needs.push("module" in need ? await packageStatus(need, context) : programStatus(need, context));
    }
    const worst =
      needs.find(({ status }) => status === "not_installed") ?? needs.find(({ status }) => status === "broken");
    yield { name, status: worst?.status ?? "ready", needs };
  }
}

async function needsOf(name: string, context: AgentContext): Promise<readonly (AgentPackage | AgentProgram)[]> {
  const { needs = [] } = await loadAdapter(name, context);
  return needs;
}

async function packageStatus(need: AgentPackage, context: AgentContext): Promise<NeedStatus> {
  const { module: name, install } = need;
  const command = { install: installCommand(install, context) };
  const found = findPackage(name, context);
  if (!found) return { name, status: "not_installed", problem: "It is not installed.", ...command };
  const about = { name, path: found.folder, ...(found.version === undefined ? {} : { version: found.version }) };
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`Its import does not end within ${IMPORT_MS / 1_000} s.`), IMPORT_MS);
  const failure = await Promise.race([
    importPackage(need, context).then(
      () => undefined,
      (error: unknown) => messageOf(error),
    ),
    late,
  ]);
  clearTimeout(timer);
  return failure === undefined
    ? { ...about, status: "ready" }
    : { ...about, status: "broken", problem: failure, ...command };
}

function programStatus(need: AgentProgram, context: AgentContext): NeedStatus {
  const { program: name } = need;
  try {
    const command = findCommand(need, context);
    const version = versionAbove(resolveLinks(command[0] ?? ""), name);
    return { name, status: "ready", path: command.join(" "), ...(version === undefined ? {} : { version }) };
  } catch (error) {
    const isMissing = AgentError.is(error) && error.code === "not_installed";
    return {
      name,
      status: isMissing ? "not_installed" : "broken",
      problem: messageOf(error),
      install: installCommand(need.install, context),
    };
  }
}

/** The version of the npm package that a program belongs to. */
function versionAbove(file: string, program: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { version, bin, name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const isOurs = typeof bin === "string" ? name === program : bin !== undefined && program in bin;
      if (isOurs && typeof version === "string") return version;
    } catch {
      // Not the folder of the package.
    }
  }
  return undefined;
}
