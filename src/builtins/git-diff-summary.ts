import { Tool, tool } from "../index.ts";
import { disableFilters } from "./git/disable-filters.ts";
import { gitProblem } from "./git/git-problem.ts";
import { permitRepository } from "./git/permit-repository.ts";
import { runGit } from "./git/run-git.ts";

const z = tool.schema;

/** How many bytes of git's output are kept, and the widths of a file name and of its bar of changes. */
const LIMITS = { heldBytes: 5_000_000, nameColumns: 300, graphColumns: 40 };

const DIFF = ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--submodule=short", "--no-color"];

export default Tool.define("git-diff-summary", {
  parameters: z.object({
    staged: z.boolean().default(false).describe("True for staged changes, false for unstaged changes"),
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

const NOTHING_STAGED = 'Nothing is staged. Leave "staged" out to see unstaged changes.';
const NOTHING_CHANGED =
  'No tracked file has unstaged changes. Send "staged": true for staged changes; git-status lists new files.';
