import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "../../core/agent-error.ts";
import type { AgentContext } from "../../core/coding-agent.ts";
import { messageOf } from "../../core/error.ts";
import { isInside } from "../../platform/files/inside.ts";
import { packageFile } from "../../platform/files/package-files.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { findProgram, isOutside, isProgram } from "../../platform/processes/find-program.ts";
import { asSentence } from "../../platform/text/as-sentence.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { npmPrefixes } from "./npm-prefixes.ts";

/** Arguments of `npm install`, or the whole command that installs something that npm does not have. */
type Installer = string | { readonly command: string };

/** A package that an agent needs. */
export interface AgentPackage {
  /** The name of the npm package, with the module of it that is imported: `@github/copilot-sdk`. */
  readonly module: string;
  readonly install: Installer;
}

/** A program that an agent needs. */
export interface AgentProgram {
  /** The name of the agent, in `agents.programs` of the settings. */
  readonly name: string;
  /** The name of the program's file, without an ending. */
  readonly program: string;
  /** Other names that the program may have. */
  readonly aliases?: readonly string[];
  readonly args?: readonly string[];
  readonly install: Installer;
}

/** An installed package. */
interface InstalledPackage {
  /** With links resolved. */
  readonly folder: string;
  /** Undefined if its package.json cannot be read. */
  readonly version?: string;
}

/**
 * The `node_modules` folders that may have SDKs and programs of agents, highest priority first: the one of the user's
 * settings, those of the project if it is trusted, those that contain Toolwright, the global one of npm. They need not exist.
 * No folder of an untrusted project is among them, except the one of the user's settings.
 */
export function agentPackageFolders(context: AgentContext): string[] {
  const { modules, directory, root, trusted } = context;
  const own = parents(dirname(packageFile("index"))).filter((folder) => basename(folder) !== "node_modules");
  return unique([
    ...(modules === undefined ? [] : [join(modules, "node_modules")]),
    ...(trusted ? parents(directory).filter((folder) => isInside(root, folder)) : []).map(inModules),
    ...usable([...own.map(inModules), ...npmPrefixes(context).map(globalModules)], context),
  ]);
}

/** The installed package in the first folder that has it, or undefined. */
export function findPackage(name: string, context: AgentContext): InstalledPackage | undefined {
  return locate(name, context)?.found;
}

/** Imports the SDK of an agent. Rejects with "not_installed" or "not_started", with the command that installs it. */
export async function importPackage<T>(sdk: AgentPackage, context: AgentContext): Promise<T> {
  const located = locate(packageNameOf(sdk.module), context);
  if (!located) throw notInstalled(`The package ${sdk.module}`, sdk.install, context);
  const { modules, found } = located;
  try {
    const { ResolverFactory } = await import("oxc-resolver");
    const resolver = new ResolverFactory({ conditionNames: ["node", "import"], mainFields: ["main"] });
    const { path, error } = resolver.sync(dirname(modules), sdk.module);
    if (path === undefined) throw new Error(error);
    return (await import(pathToFileURL(path).href)) as T;
  } catch (error) {
    const version = found.version === undefined ? "" : ` ${found.version}`;
    throw new AgentError(
      "not_started",
      `The package ${sdk.module}${version} in ${found.folder} cannot be loaded: ${asSentence(messageOf(error))} Install it again: ${agentInstallCommand(sdk.install, context)}`,
      { cause: error },
    );
  }
}

/**
 * The command of an agent's program: the one of the user's settings, else a program in the folders of packages or on PATH.
 * Throws "not_installed". A batch file of Windows is run by its shell.
 */
export function findCommand(agent: AgentProgram, context: AgentContext): readonly string[] {
  const set = settingsCommand(agent.name, context);
  if (set !== undefined) return set;
  const bins = [
    ...agentPackageFolders(context).map((modules) => join(modules, ".bin")),
    ...usable(npmPrefixes(context).map(globalBin), context),
  ];
  const names = [agent.program, ...(agent.aliases ?? [])];
  const installed = bins
    .flatMap((folder) => names.flatMap((name) => ENDINGS.map((ending) => join(folder, `${name}${ending}`))))
    .find(isProgram);
  const file = installed ?? names.map((name) => onPath(name, context)).find((found) => found !== undefined);
  if (file === undefined) throw notInstalled(`The program "${agent.program}"`, agent.install, context);
  return startable(file, agent.args ?? [], context);
}

/** How the name of a program's file ends. npm writes batch files on Windows. */
const ENDINGS: readonly string[] = process.platform === "win32" ? [".exe", ".cmd"] : [""];

/** The command of the user's settings, if they have one. Throws "not_installed" if there is no such program. */
export function settingsCommand(name: string, context: AgentContext): readonly string[] | undefined {
  const set = context.programs[name];
  if (set === undefined) return undefined;
  const [program = "", ...args] = set;
  const file = isAbsolute(program) ? [program].find(isProgram) : onPath(program, context);
  if (file !== undefined) return startable(file, args, context);
  const missing = isAbsolute(program) ? "does not exist or is not executable" : "is not on PATH";
  throw new AgentError(
    "not_installed",
    `The program "${program}" ${missing}. It is set by "agents.programs.${name}" in your settings: correct it there, or install the program.`,
  );
}

function onPath(program: string, { env, root, trusted }: AgentContext): string | undefined {
  return findProgram(program, env, trusted ? undefined : root, ENDINGS);
}

function startable(file: string, args: readonly string[], { env }: AgentContext): string[] {
  return file.endsWith(".cmd") ? [env.ComSpec ?? "cmd.exe", "/d", "/c", file, ...args] : [file, ...args];
}

function locate(name: string, context: AgentContext): { modules: string; found: InstalledPackage } | undefined {
  for (const modules of agentPackageFolders(context)) {
    const folder = realPath(join(modules, name));
    if (folder === undefined || !existsSync(join(folder, "package.json"))) continue;
    return { modules, found: { folder, ...versionOf(folder) } };
  }
  return undefined;
}

function versionOf(folder: string): { version?: string } {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof version === "string" ? { version } : {};
  } catch {
    return {};
  }
}

function notInstalled(what: string, install: Installer, context: AgentContext): AgentError {
  return new AgentError(
    "not_installed",
    `${what} is not installed. Install it: ${agentInstallCommand(install, context)}`,
  );
}

/** The command that installs an agent's package or program where it is looked for first. */
export function agentInstallCommand(install: Installer, { modules }: Pick<AgentContext, "modules">): string {
  if (typeof install !== "string") return install.command;
  const place = modules === undefined ? "--global" : `--prefix ${shellWord(modules)}`;
  return `npm install ${place} ${install}`;
}

/** Without the folders that an untrusted project contains. */
function usable(folders: readonly string[], { root, trusted, env }: AgentContext): string[] {
  return folders.filter((folder) => trusted || isOutside(folder, root, env));
}

function inModules(folder: string): string {
  return join(folder, "node_modules");
}

function globalModules(prefix: string): string {
  return process.platform === "win32" ? inModules(prefix) : join(prefix, "lib", "node_modules");
}

function globalBin(prefix: string): string {
  return process.platform === "win32" ? prefix : join(prefix, "bin");
}

/** The folder itself, then those that contain it. */
function parents(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...parents(above)];
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
