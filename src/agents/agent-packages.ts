import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "../core/agent-error.ts";
import type { AgentContext } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import { packageFile } from "../files/package-files.ts";
import { resolveLinks } from "../files/real-path.ts";
import { findProgram, isProgram } from "../process/find-program.ts";

/** A package that an agent needs. */
export interface AgentPackage {
  /** The name of the npm package, with the module of it that is imported: `@github/copilot-sdk`. */
  readonly module: string;
  /** What to install, as arguments of `npm install`: `@github/copilot-sdk@1`. */
  readonly install: string;
}

/** An installed package. */
export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
}

/**
 * The folders whose `node_modules` may have SDKs and programs of agents, highest priority first: the one of the user's
 * settings, those of the project if it is trusted, our own, the global one of npm.
 */
export function packageFolders({ modules, directory, root, trusted, env }: AgentContext): string[] {
  const own = dirname(packageFile("index"));
  return [
    ...(modules === undefined ? [] : [join(modules, "node_modules")]),
    ...(trusted ? parents(directory).filter((folder) => folder.startsWith(root)) : []).map(inModules),
    ...parents(own).map(inModules),
    ...globalFolders(env),
  ];
}

/** The installed package, or undefined. */
export function findPackage(name: string, context: AgentContext): InstalledPackage | undefined {
  for (const modules of packageFolders(context)) {
    const folder = join(modules, name);
    try {
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { folder: resolveLinks(folder), version: String(version) };
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Imports the SDK of an agent. Rejects with "not_installed", with the command that installs it. */
export async function importPackage<T>(sdk: AgentPackage, context: AgentContext): Promise<T> {
  const name = packageName(sdk.module);
  const found = findPackage(name, context);
  if (!found) throw notInstalled(sdk.module, sdk.install, context);
  try {
    const { ResolverFactory } = await import("oxc-resolver");
    const resolver = new ResolverFactory({ conditionNames: ["node", "import"], mainFields: ["module", "main"] });
    const { path, error } = resolver.sync(dirname(found.folder.slice(0, -name.length)), sdk.module);
    const file = path ?? createRequire(join(found.folder, "package.json")).resolve(sdk.module);
    if (!file) throw new Error(error);
    return (await import(pathToFileURL(file).href)) as T;
  } catch (error) {
    throw new AgentError(
      "not_started",
      `${sdk.module} ${found.version} in ${found.folder} cannot be loaded: ${messageOf(error)}. Install it again: npm install ${sdk.install}`,
      { cause: error },
    );
  }
}

/** The command of an agent's program: the one of the user's settings, else a program in the folders of packages or on PATH. */
export function findCommand(
  agent: {
    readonly name: string;
    readonly program: string;
    readonly args?: readonly string[];
    readonly install: string;
  },
  context: AgentContext,
): readonly string[] {
  const set = context.programs[agent.name];
  if (set && set.length > 0) return set;
  const { trusted, root, env } = context;
  const installed = packageFolders(context)
    .map((modules) => join(modules, ".bin", agent.program))
    .find(isProgram);
  const file = installed ?? findProgram(agent.program, env, trusted ? "" : root);
  if (file === undefined) throw notInstalled(`The program "${agent.program}"`, agent.install, context);
  return [file, ...(agent.args ?? [])];
}

function notInstalled(what: string, install: string, { modules }: AgentContext): AgentError {
  const where = modules === undefined ? "" : ` in ${modules}`;
  return new AgentError("not_installed", `${what} is not installed. Install it${where}: npm install ${install}`);
}

function packageName(module: string): string {
  return module.split("/", module.startsWith("@") ? 2 : 1).join("/");
}

function inModules(folder: string): string {
  return join(folder, "node_modules");
}

/** The folder itself, then those that contain it. */
function parents(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...parents(above)];
}

/** Where `npm install --global` puts packages, for the npm of the environment and for that of this Node. */
function globalFolders(env: AgentContext["env"]): string[] {
  const npm = (env.PATH ?? env.Path ?? "").split(delimiter).find((folder) => isProgram(join(folder, "npm")));
  const prefixes = [env.npm_config_prefix, npm && dirname(npm), dirname(dirname(process.execPath))];
  return prefixes
    .filter((prefix) => prefix !== undefined)
    .map((prefix) => join(prefix, process.platform === "win32" ? "node_modules" : "lib/node_modules"))
    .filter((folder) => existsSync(folder));
}
