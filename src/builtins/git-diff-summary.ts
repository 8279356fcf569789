import { Tool, type ToolContext, ToolError, tool } from "../index.ts";
import { disableFilters } from "./git/disable-filters.ts";
import { gitProblem } from "./git/git-problem.ts";
import { permitRepository } from "./git/permit-repository.ts";
import { type GitCall, runGit } from "./git/run-git.ts";
import { namesFromGit, visibleIn } from "./git/visible-changes.ts";

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
    const diff = [...(await disableFilters(call)), ...DIFF, ...(staged ? ["--cached"] : [])];
    const names = await namesFromGit([...diff, "--name-only", "--no-renames", "-z", "--", worktree], call);
    const specs = await visibleSpecs(names, call, context);
    if (specs.length === 0) return noChanges(staged);
    const args = ["--no-literal-pathspecs", ...diff, ...shape, "--", ...specs];
    const { code, stdout, stderr } = await runGit(args, call);
    if (code !== 0) throw gitProblem(stderr, cwd);
    const summary = stdout.trimEnd().split("\n").at(-1)?.trim();
    return { title: summary || "No changes", metadata: { staged, ...(summary ? { summary } : {}) }, output: stdout };
  },
});

/** git reads paths from its arguments, whose total length is limited. */
const MAX_LENGTH = 500_000;

/** What to compare: the project without the changed files that permission rules hide. Of a renamed file, both names are checked. */
async function visibleSpecs(names: readonly string[], call: GitCall, context: ToolContext): Promise<string[]> {
  if (names.length === 0) return [];
  const isShown = await (await visibleIn(call, context))(names);
  const shown = names.filter((_, at) => isShown[at]).map((path) => `:(top,literal)${path}`);
  const hidden = names.filter((_, at) => !isShown[at]).map((path) => `:(top,literal,exclude)${path}`);
  if (shown.length === 0) return [];
  const [specs] = [[`:(literal)${call.worktree}`, ...hidden], shown].sort((a, b) => a.join().length - b.join().length);
  if (specs !== undefined && specs.join().length <= MAX_LENGTH) return specs;
  throw new ToolError(
    "failed",
    "Too many files have changed. Use git-status, or bash with git diff for a part of them.",
  );
}

function noChanges(staged: boolean): { title: string; metadata: { staged: boolean }; output: string } {
  return { title: "No changes", metadata: { staged }, output: staged ? NOTHING_STAGED : NOTHING_CHANGED };
}

const NOTHING_STAGED = 'Nothing is staged. Leave "staged" out to see unstaged changes.';
const NOTHING_CHANGED =
  'No tracked file has unstaged changes. Send "staged": true for staged changes; git-status lists new files.';
