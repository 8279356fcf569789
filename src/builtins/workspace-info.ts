import { Tool, tool } from "../index.ts";
import { gitProblem, isNoRepository } from "./git/git-problem.ts";
import { permitRepository } from "./git/permit-repository.ts";
import { findRemoteUrl } from "./git/remote-url.ts";
import { findGit, type GitCall, NO_GIT, runGit } from "./git/run-git.ts";

/** How many bytes of each output of git are kept. */
const LIMITS = { heldBytes: 1_000_000 };

/** `commit` is set when no branch is checked out. */
interface Repository {
  readonly repositoryRoot: string | null;
  readonly branch: string | null;
  readonly commit?: string;
  readonly remoteUrl: string | null;
  readonly note?: string;
}

export default Tool.define("workspace-info", {
  parameters: tool.schema.object({}),
  limits: { own: LIMITS },
  hints: { title: "Workspace info", readOnly: true, openWorld: false },
  access: (_args, { cwd }) => [{ kind: "read", target: cwd, named: true }],
  async execute(_args, context) {
    const { abort: signal, directory, worktree, limits } = context;
    const call = { cwd: directory, worktree, signal, ...LIMITS, ...limits.own };
    if (findGit(worktree) !== undefined) await permitRepository(call, context);
    const repository = await repositoryAt(call);
    const info = { projectPath: directory, ...repository };
    return { title: repository.branch ?? "Workspace", metadata: info, output: JSON.stringify(info, null, 2) };
  },
});

async function repositoryAt(call: GitCall): Promise<Repository> {
  if (findGit(call.worktree) === undefined) return { ...NO_REPOSITORY, note: NO_GIT };
  const { code, stdout, stderr } = await runGit(["rev-parse", "--show-toplevel"], call);
  if (code === 0) return { repositoryRoot: lineIn(stdout), ...(await headOf(call)) };
  if (isNoRepository(stderr)) return { ...NO_REPOSITORY, note: "This is not in a git repository." };
  throw gitProblem(stderr, call.cwd);
}

const NO_REPOSITORY = { repositoryRoot: null, branch: null, remoteUrl: null };

async function headOf(call: GitCall): Promise<Omit<Repository, "repositoryRoot">> {
  const head = await runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], call);
  const branch = head.code === 0 ? lineIn(head.stdout) : null;
  const remoteUrl = await findRemoteUrl(branch, call);
  if (branch !== null) return { branch, remoteUrl };
  const { code, stdout } = await runGit(["rev-parse", "--short", "HEAD"], call);
  return { branch, ...(code === 0 ? { commit: lineIn(stdout) } : {}), remoteUrl };
}

function lineIn(answer: string): string {
  return answer.replace(/\r?\n$/, "");
}
