import { readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { messageOf } from "../../core/error.ts";
import type { Problem } from "../../core/problem.ts";
import { hasCode, isDiskFull } from "../../platform/files/error-code.ts";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { expandHome } from "../../settings/defaults.ts";
import { withLock } from "../../settings/lock.ts";
import { writePrivateFile } from "../../settings/private-file.ts";
import type { AgentHomes } from "./agent-homes.ts";

/** A project, and the sources of trust in it. */
export interface TrustQuestion extends Omit<AgentHomes, "cwd"> {
  readonly project: string;
  readonly toolwrightHome: string;
  /** `trust.parents` of the user's settings: absolute, or from `~`. Other paths are ignored. */
  readonly parents: readonly string[];
  /** `--trust`: for this run only. */
  readonly flag: boolean;
}

/** The answer, and the problem if the list of trusted projects cannot be read. */
export interface Trust {
  readonly trusted: boolean;
  readonly problem?: Problem;
}

/** Whether the user has trusted this project. Never throws: with an unreadable list no project is trusted. */
export function trustOf(question: TrustQuestion): Trust {
  if (question.flag || question.env.TOOLWRIGHT_TRUST === "1") return { trusted: true };
  const project = realOf(question.project);
  if (question.parents.some((parent) => isBelow(project, parent, question.home))) return { trusted: true };
  const list = readTrust(trustFile(question.toolwrightHome));
  if (list.kind === "unreadable") return { trusted: false, problem: list.problem };
  return { trusted: list.projects.includes(project) };
}

/** The command that trusts a project. It works in any directory. `command` starts this program. */
export function trustCommand(root: string, command = "toolwright"): string {
  return `${command} trust --cwd ${shellWord(root)}`;
}

/** Adds the project to the list; false if it was there. Rejects, and changes nothing, if the list cannot be read. */
export async function trustProject(project: string, toolwrightHome: string): Promise<boolean> {
  const real = realOf(project);
  return update(toolwrightHome, (projects) => (projects.includes(real) ? projects : [...projects, real].sort()));
}

/** Removes the project from the list; false if it was not there. Rejects, and changes nothing, if the list cannot be read. */
export async function distrustProject(project: string, toolwrightHome: string): Promise<boolean> {
  const real = realOf(project);
  return update(toolwrightHome, (projects) =>
    projects.includes(real) ? projects.filter((each) => each !== real) : projects,
  );
}

function realOf(path: string): string {
  return realPath(path) ?? resolve(path);
}

function isBelow(project: string, parent: string, home: string): boolean {
  const folder = expandHome(parent, home);
  return isAbsolute(folder) && isInside(realPath(folder) ?? folder, project);
}

type Projects = readonly string[];

async function update(toolwrightHome: string, change: (projects: Projects) => Projects): Promise<boolean> {
  const file = trustFile(toolwrightHome);
  return withLock(file, () => {
    const list = readTrust(file);
    if (list.kind === "unreadable") throw new Error(`${file}: ${list.problem.message}`);
    const projects = change(list.projects);
    if (projects === list.projects) return false;
    writePrivateFile(file, `${JSON.stringify({ projects }, null, 2)}\n`);
    return true;
  }).catch((error: unknown) => {
    const isFull = isDiskFull(error);
    if (!isFull && !hasCode(error, "ENOTDIR", "EACCES", "EPERM", "EROFS", "EEXIST")) throw error;
    const hint = isFull
      ? "Nothing was changed. Free some space, then run this again."
      : "Make it writable, or set TOOLWRIGHT_HOME to a folder that is.";
    throw new Error(`The list of trusted projects cannot be written: ${messageOf(error)}. ${hint}`, { cause: error });
  });
}

function trustFile(toolwrightHome: string): string {
  return join(toolwrightHome, "trust.json");
}

type TrustList =
  | { readonly kind: "list"; readonly projects: Projects }
  | { readonly kind: "unreadable"; readonly problem: Problem };

function readTrust(file: string): TrustList {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isTrustFile(content)
      ? { kind: "list", projects: content.projects }
      : broken(file, 'it has no list "projects"');
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return { kind: "list", projects: [] };
    return broken(file, messageOf(error));
  }
}

function isTrustFile(content: unknown): content is { projects: string[] } {
  if (typeof content !== "object" || content === null || !("projects" in content)) return false;
  return Array.isArray(content.projects) && content.projects.every((project) => typeof project === "string");
}

function broken(file: string, reason: string): TrustList {
  const message = `The list of trusted projects cannot be read (${reason}), so no project is trusted. Correct the file, or delete it and run \`toolwright trust\` again in each project.`;
  return { kind: "unreadable", problem: { file, code: "unreadable", message } };
}
