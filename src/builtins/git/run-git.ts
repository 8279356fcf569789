import { devNull, homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ToolError } from "../../index.ts";
import { runUnlessBlocked } from "../../platform/files/blocking-file.ts";
import { readTextFile } from "../../platform/files/read-text-file.ts";
import { environmentOutside, findProgram, isOutside } from "../../platform/processes/find-program.ts";
import { type ProcessResult, runProcess } from "../../platform/processes/run-process.ts";

export interface GitCall {
  readonly cwd: string;
  /** The root of the project. Programs in it are not run. */
  readonly worktree: string;
  readonly signal: AbortSignal;
  readonly heldBytes: number;
}

/**
 * Runs git on a repository that may be untrusted: no program that its configuration names is run. Does not write,
 * prompt or use the network. Throws when git is not installed.
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<ProcessResult> {
  const { cwd, worktree, signal, heldBytes } = call;
  const git = findGit(worktree);
  if (git === undefined) throw new ToolError("failed", NO_GIT);
  const env = gitEnvironment(process.env, worktree);
  const opened = {
    program: "git",
    folder: cwd,
    names: [".gitignore", ".gitattributes"],
    extraPaths: () => pathsReadByGit(cwd),
  };
  return runUnlessBlocked(opened, signal, (unblocked) =>
    runProcess(git, [...SAFE_OPTIONS, ...args], { cwd, env, signal: unblocked, maxBytes: heldBytes }),
  );
}

/**
 * Paths that git itself reads: repositories, folders that a `.git` file names, and files that the configuration names.
 */
function pathsReadByGit(cwd: string): string[] {
  const folders = repositoriesAbove(cwd).flatMap((path) => {
    const named = /^gitdir: *(.+?)\s*$/m.exec(textOf(path))?.[1];
    if (named === undefined) return [path];
    const folder = resolve(dirname(path), named);
    return [folder, resolve(folder, textOf(join(folder, "commondir")).trim())];
  });
  const named = folders.flatMap((folder) => {
    const values = textOf(join(folder, "config")).matchAll(NAMES_A_FILE);
    return [...values].flatMap(([, path = ""]) => [folder, cwd].map((from) => resolve(from, path)));
  });
  const ofUser = [".gitconfig", ...["config", "ignore", "attributes"].map((name) => join(".config/git", name))];
  return [...folders, ...named, ...ofUser.map((name) => join(homedir(), name))];
}

const NAMES_A_FILE = /\b(?:path|excludesFile|attributesFile)\s*=\s*"?([^"\n]*[^"\n\s])/gi;

function textOf(file: string): string {
  const read = readTextFile(file, { largest: 1_000_000 });
  return read.kind === "text" ? read.text : "";
}

function repositoriesAbove(cwd: string): string[] {
  const parent = dirname(cwd);
  return [join(cwd, ".git"), ...(parent === cwd ? [] : repositoriesAbove(parent))];
}

export function findGit(worktree: string): string | undefined {
  return findProgram("git", process.env, worktree);
}

export const NO_GIT =
  "git was not found on PATH (folders of this project are skipped). Continue without it, or ask the user to install it.";

/** Disables programs that git would run: the file system monitor and hooks. Paths are literal, never patterns. */
const SAFE_OPTIONS = [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=",
    `core.hooksPath=${devNull}`,
    "core.quotePath=false",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
    "diff.relative=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Variables that name the user's configuration. Other variables could name a repository or a program. */
const ALLOWED = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_EXEC_PATH",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
]);

/** Allowed variables whose values are dropped if they lead into the project. */
const NAMES_A_PATH = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH"]);

/** Allows no protocol, so that missing objects of a partial clone are not fetched. Messages are in English. */
function gitEnvironment(base: NodeJS.ProcessEnv, worktree: string): NodeJS.ProcessEnv {
  const env = environmentOutside(base, worktree);
  const isAllowed = (name: string, value: string): boolean =>
    ALLOWED.has(name) && (!NAMES_A_PATH.has(name) || isOutside(value, worktree, env));
  const allowed = Object.entries(env).filter(
    ([name, value = ""]) => !/^GIT_/i.test(name) || isAllowed(name.toUpperCase(), value),
  );
  return {
    ...Object.fromEntries(allowed),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}
