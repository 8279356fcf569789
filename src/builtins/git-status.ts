import { realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Tool, type ToolContext, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { disableFilters } from "./git/disable-filters.ts";
import { permitRepository } from "./git/permit-repository.ts";
import type { GitCall } from "./git/run-git.ts";
import { changesIn, statusLine, visibleChange } from "./git/status-lines.ts";
import { namesFromGit, visibleIn } from "./git/visible-changes.ts";

const z = tool.schema;

/** How many bytes of git's output about its configuration are kept. */
const LIMITS = { heldBytes: 5_000_000 };

const STATUS = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];

export default Tool.define("git-status", {
  parameters: z.object({
    path: z.string().min(1).optional().describe("A folder or file. The whole repository by default"),
  }),
  limits: { own: LIMITS },
  hints: { title: "Git status", readOnly: true, openWorld: false },
  access: ({ path }, { cwd }) => [{ kind: "read", target: absolute(path ?? ".", cwd), named: true }],
  async execute({ path }, context) {
    const { cwd, spec } = await gitLocation(path, context);
    const call = { cwd, worktree: context.worktree, signal: context.abort, ...LIMITS, ...context.limits.own };
    await permitRepository(call, context);
    const fields = await namesFromGit([...(await disableFilters(call)), ...STATUS, "--", spec], call);
    const lines = await visibleLines(fields, call, context);
    const changes = lines.length;
    return {
      title: changes === 1 ? "1 change" : `${changes} changes`,
      metadata: { changes },
      output: lines.join("") || (await noChanges(path, context.directory)),
    };
  },
});

async function visibleLines(fields: readonly string[], call: GitCall, context: ToolContext): Promise<string[]> {
  if (fields.length === 0) return [];
  const changes = changesIn(fields);
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const isShown = await (await visibleIn(call, context))(paths);
  const shown = new Set(paths.filter((_, at) => isShown[at]));
  return changes.flatMap((change) => {
    const visible = visibleChange(change, (path) => shown.has(path));
    return visible === undefined ? [] : [statusLine(visible)];
  });
}

/**
 * The working directory and path argument for git. The directory is the nearest existing one, since a file may have
 * been deleted.
 */
async function gitLocation(path: string | undefined, context: ToolContext): Promise<{ cwd: string; spec: string }> {
  if (path === undefined) return { cwd: context.directory, spec: context.worktree };
  const target = absolute(path, context.directory);
  const folder = await nearestFolder(target);
  const cwd = await realpath(folder);
  // A link may have been created there since the path was permitted.
  if (cwd !== folder) await context.permit({ kind: "read", target: cwd, named: true });
  return { cwd, spec: folder === target ? "." : join(cwd, relative(folder, target)) };
}

async function nearestFolder(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory() || at === dirname(at)) return at;
  }
}

async function noChanges(path: string | undefined, directory: string): Promise<string> {
  if (path === undefined) return "Nothing has changed: no modified and no untracked files.";
  const isThere = await stat(absolute(path, directory)).catch(() => undefined);
  if (isThere) return `Nothing has changed in "${path}": no modified and no untracked files.`;
  return `There is no "${path}", and git reports no change there. Check the path.`;
}
