import { realpath } from "node:fs/promises";
import { type ToolContext, ToolError } from "../../index.ts";
import { isInside } from "../../platform/files/inside.ts";
import { areVisible } from "../search/visible-paths.ts";
import { gitProblem } from "./git-problem.ts";
import { type GitCall, runGit } from "./run-git.ts";

/** The names of the changes are all needed to hide some of them. */
const NAMES_BYTES = 50_000_000;

/** The output of a git command with `-z`, which ends each name with NUL and quotes none. Throws if it is too long, or git fails. */
export async function namesFromGit(args: readonly string[], call: GitCall): Promise<string[]> {
  const { code, stdout, stderr, truncated } = await runGit(args, { ...call, heldBytes: NAMES_BYTES });
  if (code !== 0) throw gitProblem(stderr, call.cwd);
  if (truncated) throw new ToolError("failed", "Too many files have changed. Use bash with git for a part of them.");
  return stdout.split("\0").slice(0, -1);
}

/** Returns a function that says which paths, relative to the root of the repository, permission rules let a call show. */
export async function visibleIn(
  call: GitCall,
  context: ToolContext,
): Promise<(paths: readonly string[]) => Promise<readonly boolean[]>> {
  const { code, stdout, stderr } = await runGit(["rev-parse", "--show-toplevel"], call);
  if (code !== 0) throw gitProblem(stderr, call.cwd);
  const isInProject = isInside(await realpath(context.worktree), await realpath(call.cwd));
  const start = { real: stdout.replace(/\r?\n$/, ""), isInProject };
  return (paths) => areVisible(paths, start, context);
}
