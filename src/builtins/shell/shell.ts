import { join } from "node:path";
import { findProgram, findSh, isProgram } from "../../platform/processes/find-program.ts";

export interface SystemShell {
  readonly name: "bash" | "sh" | "powershell";
  readonly file: string;
  argumentsFor(command: string): readonly string[];
}

/** Bash, or else the shell of the system. Never a program in the project. Does not read the user's start-up files. */
export function findShell(env: NodeJS.ProcessEnv, project: string): SystemShell {
  return process.platform === "win32" ? windowsShell(env, project) : posixShell(env, project);
}

/**
 * The environment of a command, without variables that name start-up files or change how the shell parses a command:
 * permission rules assume a shell with default options. `PS4` is expanded when `SHELLOPTS` has `xtrace`.
 */
export function shellEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { BASH_ENV: _bash, ENV: _sh, SHELLOPTS: _set, BASHOPTS: _shopt, PS4: _trace, ...rest } = env;
  return { ...rest, TERM: "dumb" };
}

/** Redirects standard error to standard output, so that the order of the output is kept. */
const IN_ONE_STREAM = 'exec "$0" "$@" 2>&1';
/** The same without replacing the process, for Windows. */
const IN_ONE_SHELL = 'exec 2>&1; eval "$1"';
const NO_START_UP_FILES = ["--noprofile", "--norc"];

function posixShell(env: NodeJS.ProcessEnv, project: string): SystemShell {
  const sh = findSh(env, project);
  const bash = findProgram("bash", env, project);
  const started = bash === undefined ? [sh] : [bash, ...NO_START_UP_FILES];
  return {
    name: bash === undefined ? "sh" : "bash",
    file: sh,
    argumentsFor: (command) => ["-c", IN_ONE_STREAM, ...started, "-c", "--", command],
  };
}

function windowsShell(env: NodeJS.ProcessEnv, project: string): SystemShell {
  const bash = gitBash(env, project);
  if (bash === undefined) {
    const argumentsFor = (command: string): string[] => ["-NoProfile", "-NonInteractive", "-Command", command];
    const file = join(env.SystemRoot ?? "C:\\Windows", "System32/WindowsPowerShell/v1.0/powershell.exe");
    return { name: "powershell", file, argumentsFor };
  }
  const argumentsFor = (command: string): string[] => [...NO_START_UP_FILES, "-c", IN_ONE_SHELL, "bash", command];
  return { name: "bash", file: bash, argumentsFor };
}

/** The `bash.exe` of Windows starts WSL, in which the project has other paths. */
function gitBash(env: NodeJS.ProcessEnv, project: string): string | undefined {
  const local = env.LOCALAPPDATA && join(env.LOCALAPPDATA, "Programs");
  const roots = [env.ProgramFiles, env["ProgramFiles(x86)"], local].filter((folder) => folder !== undefined);
  const found = roots.map((folder) => join(folder, "Git", "bin", "bash.exe")).find(isProgram);
  const onPath = found ?? findProgram("bash", env, project);
  return onPath !== undefined && /\\(?:system32|windowsapps)\\/i.test(onPath) ? undefined : onPath;
}
