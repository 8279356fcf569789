import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ToolContext } from "../../index.ts";
import { isInside } from "../../platform/files/inside.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { type GitCall, runGit } from "./run-git.ts";

/**
 * Asks for permission to read a repository outside the project: a `.git` that is a link, or that names another folder,
 * would show the content of another repository. Worktrees and submodules are outside by design, and their repository
 * names the project.
 */
export async function permitRepository(call: GitCall, context: ToolContext): Promise<void> {
  const { code, stdout } = await runGit(["rev-parse", "--absolute-git-dir", "--git-common-dir"], call);
  if (code !== 0) return;
  const [own = "", common = ""] = stdout.split("\n").map((path) => resolveLinks(resolve(call.cwd, path)));
  const project = resolveLinks(call.worktree);
  const outside = [own, common].filter((folder) => !isInside(project, folder));
  if (outside.length === 0 || (await namesProject(own, common, project, call))) return;
  for (const target of new Set(outside)) await context.permit({ kind: "read", target, named: true });
}

async function namesProject(own: string, common: string, project: string, call: GitCall): Promise<boolean> {
  if (isInside(project, own)) return false;
  if (isInside(common, own) && resolveLinks(resolve(own, firstLine(join(own, "gitdir")))) === join(project, ".git")) {
    return true;
  }
  const { code, stdout } = await runGit(["config", "--file", join(own, "config"), "core.worktree"], call);
  return code === 0 && own === common && resolveLinks(resolve(own, stdout.trim())) === project;
}

/** Empty when there is no file. */
function firstLine(file: string): string {
  try {
    return statSync(file).isFile() ? (readFileSync(file, "utf8").split("\n", 1)[0] ?? "") : "";
  } catch {
    return "";
  }
}
