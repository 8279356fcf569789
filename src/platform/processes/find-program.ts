import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "../files/inside.ts";
import { resolveLinks } from "../files/real-path.ts";
import { tryOrUndefined } from "../values/try-or-undefined.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The file of a program on PATH. Skips entries of PATH that are relative or lead into `project`, and programs that are
 * links into it: a project must not choose the programs that Toolwright runs. `endings` are those of its file name.
 */
export function findProgram(
  name: string,
  env: Environment,
  project: string | undefined,
  endings: readonly string[] = process.platform === "win32" ? [".exe"] : [""],
): string | undefined {
  return foldersOutside(env.PATH ?? env.Path ?? "", project, env)
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
    .find((path) => isProgram(path) && isOutside(path, project, env));
}

/** `/bin/sh`, or the `sh` on PATH on Windows. */
export function findSh(env: Environment, project: string): string {
  return process.platform === "win32" ? (findProgram("sh", env, project) ?? "sh") : "/bin/sh";
}

/**
 * The environment for programs that are started while `project` is not trusted. Entries of PATH and NODE_PATH that are
 * relative or lead into the project are removed, and so are options in NODE_OPTIONS that load such modules. Every variable
 * that is set stays set.
 */
export function environmentOutside<E extends Environment>(env: E, project: string): E {
  const changes = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (/^(?:path|node_path)$/i.test(name)) return [[name, foldersOutside(value, project, env).join(delimiter)]];
    if (/^node_options$/i.test(name)) return [[name, nodeOptionsOutside(value, project, env)]];
    return [];
  });
  return { ...env, ...Object.fromEntries(changes) };
}

/**
 * Whether an absolute path leads out of the project, both as written and with its links resolved. If the project
 * contains the user's home folder or the system's programs, or without a project, every absolute path counts as outside.
 */
export function isOutside(path: string, project: string | undefined, env: Environment): boolean {
  if (!isAbsolute(path)) return false;
  if (project === undefined) return true;
  const shared = [env.HOME || env.USERPROFILE || homedir(), env.SystemRoot ?? "/usr/bin"];
  if (shared.some((each) => isInside(project, resolveLinks(each)))) return true;
  return !isInside(project, resolve(path)) && !isInside(project, resolveLinks(path));
}

/** Whether the path is an executable file. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function foldersOutside(path: string, project: string | undefined, env: Environment): string[] {
  return path.split(delimiter).filter((folder) => isOutside(folder, project, env));
}

const LOADS_MODULE = /^(-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/s;

/** Split like in Node: at white space outside of double quotes. */
function nodeOptionsOutside(options: string, project: string, env: Environment): string {
  const tokens = options.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    const [, option, joined] = LOADS_MODULE.exec(token) ?? [];
    const module = option === undefined ? undefined : (joined ?? tokens[++at] ?? "");
    if (module === undefined) kept.push(token);
    else if (isOutside(modulePath(module), project, env)) {
      kept.push(...(joined === undefined ? [token, module] : [token]));
    }
  }
  return kept.join(" ");
}

/** A bare name is resolved from the working directory of Node: it is not absolute, and so not outside. */
function modulePath(quoted: string): string {
  const module = quoted.replace(/"((?:\\.|[^"\\])*)"/g, (_, text: string) => text.replace(/\\(.)/g, "$1"));
  return tryOrUndefined(() => (module.startsWith("file:") ? fileURLToPath(module) : module)) ?? "";
}
