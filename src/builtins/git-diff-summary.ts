import { Tool, tool } from "../index.ts";
import { disableFilters } from "./git/disable-filters.ts";
import { gitProblem } from "./git/git-problem.ts";
import { permitRepository } from "./git/permit-repository.ts";
import { runGit } from "./git/run-git.ts";

const z = tool.schema;

/** The largest part of git's output to keep, and the columns of a file name and its bar of changes. */
const LIMITS = { heldBytes: 5_000_000, nameColumns: 300, graphColumns: 40 };

const DIFF = ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--submodule=short", "--no-color"];

export default Tool.define("git-diff-summary", {
  parameters: z.object({
    staged: z
      .boolean()
      .default(false)
      .describe("True for what is staged for the next commit, false for what is changed and not staged"),
  }),
  limits: { own: LIMITS },
  hints: { title: "Git diff summary", readOnly: true, openWorld: false },
  access: (_args, { cwd }) => [{ kind: "read", target: cwd, named: true }],
  async execute({ staged }, context) {
    const { abort: signal, directory: cwd, worktree, limits } = context;
    const own = { ...LIMITS, ...limits.own };
    const call = { cwd, worktree, signal, heldBytes: own.heldBytes };
    await permitRepository(call, context);
    const columns = `--stat=${own.nameColumns + own.graphColumns + 20},${own.nameColumns}`;
    const shape = [columns, `--stat-graph-width=${own.graphColumns}`, "--find-renames"];
    const args = [...(await disableFilters(call)), ...DIFF, ...shape, ...(staged ? ["--cached"] : []), "--", worktree];
    const { code, stdout, stderr } = await runGit(args, call);
    if (code !== 0) throw gitProblem(stderr, cwd);
    const summary = stdout.trimEnd().split("\n").at(-1)?.trim();
    return {
      title: summary || "No changes",
      metadata: { staged, ...(summary ? { summary } : {}) },
      output: stdout || (staged ? NOTHING_STAGED : NOTHING_CHANGED),
    };
  },
});

const NOTHING_STAGED = 'Nothing is staged. Leave "staged" out to see what is changed and not staged.';
const NOTHING_CHANGED =
  'No tracked file has changes that are not staged. Send "staged": true for what is staged; new files are in git-status.';
